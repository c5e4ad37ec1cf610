/** `#given/32-score`: the parts of the harness that only this kata uses. */
/** The filter plugins that scores call: which nodes count for spreading (Level 7). */
export * as filters from '../../contracts/filters/index.ts';
