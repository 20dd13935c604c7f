/** Line icons, drawn for this project on a grid of 24. */

import { svg, html } from "../lit.js";

/** @type {Record<string, ReturnType<typeof svg>>} */
const SHAPES = {
  undo: svg`<path d="M9 7 4 12l5 5M4 12h10a6 6 0 0 1 0 12" transform="translate(0 -3)"/>`,
  redo: svg`<path d="m15 7 5 5-5 5m5-5H10a6 6 0 0 0 0 12" transform="translate(0 -3)"/>`,
  collect: svg`<path d="M12 15V4m0 0L8 8m4-4 4 4M5 14v5h14v-5"/>`,
  hint: svg`<path d="M9.500 18h5M10.500 21h3M8.800 15.200a6 6 0 1 1 6.400 0c-.500.400-.700.900-.700 1.500v.300h-5v-.300c0-.600-.200-1.100-.700-1.500z"/>`,
  more: svg`<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="3"/>`,
  draw: svg`<rect x="4" y="5" width="9" height="14" rx="1.5"/><path d="M16 8h4m-4 4h4m-4 4h4"/>`,
  redeal: svg`<path d="M4 12a8 8 0 0 1 13.700-5.700L20 8M20 4v4h-4M20 12a8 8 0 0 1-13.700 5.700L4 16m0 4v-4h4"/>`,
  back: svg`<path d="m14 6-6 6 6 6"/>`,
  gear: svg`<circle cx="12" cy="12" r="3"/><path d="M12 3v3m0 12v3M3 12h3m12 0h3M5.600 5.600l2.100 2.100m8.600 8.600 2.100 2.100m0-12.800-2.100 2.100m-8.600 8.600-2.100 2.100"/>`,
  eye: svg`<path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z"/><circle cx="12" cy="12" r="3"/>`,
  check: svg`<path d="m5 13 4 4L19 7"/>`,
  copy: svg`<rect x="8" y="8" width="12" height="12" rx="2"/><path d="M16 8V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h2"/>`,
  play: svg`<path d="M7 5v14l12-7z"/>`,
  pause: svg`<path d="M8 5v14M16 5v14"/>`,
  search: svg`<circle cx="11" cy="11" r="6"/><path d="m20 20-4.500-4.500"/>`,
  speech: svg`<path d="M5 5h14v10h-7l-4 4v-4H5z"/>`,
  save: svg`<path d="M12 4v11m0 0 4-4m-4 4-4-4M5 16v3h14v-3"/>`,
  flag: svg`<path d="M6 21V4m0 0h11l-2 4 2 4H6"/>`,
};

/** @param {string} name */
export const icon = (name) =>
  html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${SHAPES[name]}</svg>`;
