/** The door of this folder, for the tests: `#laws/32-score`. */
export {
  type AskOptions,
  askScorePlugin,
  beforeNormalising,
  scoresBy,
} from './ask-score-plugin.ts';
export { coreLaws, optionalLaws } from './laws.ts';
