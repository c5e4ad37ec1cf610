/** The laws of filters: what they say of a pod and a node, alone and together. */
export { wakesWhomItHelps } from './hint-laws.ts';
export { enoughIsEnough } from './large.ts';
export { keepsCyclesApart, looksOnly } from './pure-laws.ts';
export {
  agreesInTheSum,
  diagnosisIsWhole,
  growingTakesNothingAway,
  moreIsNeverLess,
  neverOvercommits,
  orderDoesNotMatter,
} from './sum-laws.ts';
export { agrees, meansNever, namesItsReason, wishesDecideNothing } from './verdict-laws.ts';
