/** `#given/33-bind`: the parts of the harness that only this kata uses. */
export * as scheduling from '../../contracts/scheduling/index.ts';
