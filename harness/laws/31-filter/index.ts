/** `#laws/31-filter`: the entry point for the tests. */
export { coreLaws, optionalLaws } from './laws/index.ts';
