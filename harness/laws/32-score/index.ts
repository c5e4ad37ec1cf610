/** The door of this folder, for the tests: `#laws/32-score`. */

export { coreLaws, optionalLaws } from './laws/index.ts';
export {
  type AskOptions,
  askScorePlugin,
  beforeNormalising,
  scoresBy,
} from './simulation/ask-score-plugin.ts';
