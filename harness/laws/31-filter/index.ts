/** The door of this folder, for the tests: `#laws/31-filter`. */
export * as filterLaws from './laws.ts';
