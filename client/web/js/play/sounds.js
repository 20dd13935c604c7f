/** Two quiet sounds, made on the spot; off unless the player turns them on. */

/** @type {AudioContext|null} */
let audio = null;

/** @param {"card"|"home"} what */
export function play(what) {
  audio ??= new AudioContext();
  const now = audio.currentTime;
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(what === "home" ? 660 : 190, now);
  loudness.gain.setValueAtTime(what === "home" ? 0.06 : 0.09, now);
  loudness.gain.exponentialRampToValueAtTime(0.0005, now + (what === "home" ? 0.18 : 0.06));
  tone.connect(loudness).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.2);
}
