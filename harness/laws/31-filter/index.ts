/** The door of this folder, for the tests: `#laws/31-filter`. */
export { coreLaws, optionalLaws } from './laws/index.ts';
