/** The verdicts along an attempt, under the scrubber: told apart by height and pattern as well as by colour. */

import { html, nothing, svg } from "../lit.js";
import { t } from "../words.js";
import { stripWords } from "./losswords.js";

const HEIGHT = 13;
const TOPS = { winnable: 0, unknown: 4, lost: 7 };
const LEAST = 0.4;

/**
 * @param {Analysis} analysis
 * @param {Step[]} steps
 * @param {number} endMs where the scrubber ends
 * @param {number} number of the strip on this page
 */
export function stripOf(analysis, steps, endMs, number) {
  const percent = (/** @type {number} */ ms) => (100 * Math.min(ms, endMs)) / endMs;
  const at = (/** @type {number} */ version) => percent(steps[version]?.atMs ?? endMs);
  const parts = analysis.verdicts.map(({ first, last, verdict }) => {
    const from = first === 0 ? 0 : at(first);
    return { verdict, from, width: Math.max(LEAST, (last + 1 < steps.length ? at(last + 1) : 100) - from) };
  });
  return html`<svg class="strip" width="100%" height=${HEIGHT + 8} role="img" aria-label=${t("strip.label", { verdicts: stripWords(analysis, steps) })}>
    <defs><pattern id="hatch-${number}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="strip-lost" width="2.600" height="5"></rect></pattern>
      <pattern id="dots-${number}" width="6" height="5" patternUnits="userSpaceOnUse"><circle class="strip-unknown" cx="2" cy="2.500" r="1.500"></circle></pattern></defs>
    ${parts.map(({ verdict, from, width }) => {
      const fill = verdict === "lost" ? `url(#hatch-${number})` : verdict === "unknown" ? `url(#dots-${number})` : nothing;
      return svg`<rect class=${verdict === "winnable" ? "strip-winnable" : ""} x="${from}%" width="${width}%" y=${TOPS[verdict]} height=${HEIGHT - TOPS[verdict]} fill=${fill} />`;
    })}
    ${analysis.losses.map((loss) => svg`<svg x="${at(loss.at)}%" y=${HEIGHT + 1} overflow="visible"><path class="strip-mark" d="M0 0 5 7H-5Z" /></svg>`)}
  </svg>`;
}

/** What the strip's heights and patterns mean. @param {readonly Analysis[]} analyses */
export function stripLegend(analyses) {
  const met = new Set(analyses.flatMap(({ verdicts }) => verdicts.map(({ verdict }) => verdict)));
  const shown = /** @type {const} */ (["winnable", "lost", "unknown"]).filter((verdict) => met.has(verdict));
  return html`<ul class="strip-legend">${shown.map((verdict) => html`<li><i class="swatch is-${verdict}"></i>${t(`verdict.${verdict}`)}</li>`)}</ul>`;
}
