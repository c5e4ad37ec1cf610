/**
 * The laws of a Deployment: each reads one history and names every place where it is broken. Safety laws say what never
 * happens; liveness laws say how it has ended once faults and edits have stopped.
 */
export { type Law, neverOverlaps, staysAvailable, withinBudget } from './budget-laws.ts';
export { comesToRest, converges, saysWhatIs, scalesWhilePaused } from './end-laws.ts';
export { trimsHistory } from './history-laws.ts';
export { madeToMeasure, mindsItsOwn, onePerTemplate, revisionMoves } from './identity-laws.ts';
export { keepsDeadline, truthful } from './status-laws.ts';
