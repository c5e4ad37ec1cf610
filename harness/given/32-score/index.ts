/** `#given/32-score`: the parts of the harness that only this kata uses. */
export * as filters from '../../contracts/filters/index.ts';
