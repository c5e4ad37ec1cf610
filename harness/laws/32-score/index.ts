/** The door of this folder, for the tests: `#laws/32-score`. */
export {
  type AskOptions,
  askScorePlugin,
  beforeNormalising,
  scoresBy,
} from './ask-score-plugin.ts';
export * as scoreLaws from './score-laws.ts';
export { type ScoreScenario, scenarios as scoreScenarios } from './score-scenario.ts';
