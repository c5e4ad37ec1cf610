/** The door of this folder, for the tests: `#laws/31-filter`. */
export { coreLaws, starLaws } from './laws.ts';
