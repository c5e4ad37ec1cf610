import type { Filtering } from '../../../contracts/framework/index.ts';
import { combine, type Part, part } from '../../scheduling/laws/combine.ts';
import { core, type Ground, withBoth, withCompany, withSpread } from '../scenario.ts';
import { asksEveryPlugin } from './any-plugins.ts';
import { wakesThePodsItHelps } from './hints.ts';
import { stopsAtEnough } from './large.ts';
import { keepsCyclesApart, keepsPodsApart, looksOnly } from './pure.ts';
import {
  agreesInTheSum,
  diagnosisIsWhole,
  growingTakesNothingAway,
  moreRoomStillFits,
  neverOvercommits,
  orderDoesNotMatter,
} from './sum.ts';
import { agrees, namesItsReason, staysUnresolvable, wishesDecideNothing } from './verdicts.ts';

/**
 * The laws of the core levels. Most of them also hold with the plugins of the ★ levels.
 */
export const coreLaws = {
  agrees: agrees(core),
  agreesInTheSum: agreesInTheSum(core),
  namesItsReason: namesItsReason(core),
  staysUnresolvable: staysUnresolvable(core),
  wishesDecideNothing: wishesDecideNothing(core),
  neverOvercommits: neverOvercommits(core),
  growingTakesNothingAway: growingTakesNothingAway(core),
  moreRoomStillFits: moreRoomStillFits(core),
  orderDoesNotMatter: orderDoesNotMatter(core),
  diagnosisIsWhole: diagnosisIsWhole(core),
  asksEveryPlugin,
  stopsAtEnough: stopsAtEnough(core),
  looksOnly: looksOnly(core),
  wakesThePodsItHelps: wakesThePodsItHelps(core),
  keepsCyclesApart: keepsCyclesApart(core),
};

/** Returns the core laws that also hold with more plugins. */
function others(ground: Ground): readonly Part<Filtering>[] {
  return [
    part('Agrees in total', agreesInTheSum(ground)),
    part('Stays unresolvable', staysUnresolvable(ground)),
    part('Preferences never reject', wishesDecideNothing(ground)),
    part('Growth changes nothing', growingTakesNothingAway(ground)),
    part('Order does not matter', orderDoesNotMatter(ground)),
    part('Complete diagnosis', diagnosisIsWhole(ground)),
    part('Pure', looksOnly(ground)),
    part('Wakes the pods it helps', wakesThePodsItHelps(ground)),
    part('Keeps cycles apart', keepsCyclesApart(ground)),
  ];
}

const spreadAlone: Ground = { ...withSpread, plugins: ['PodTopologySpread'] };
const companyAlone: Ground = { ...withCompany, plugins: ['InterPodAffinity'] };

/** The laws of the ★ levels. */
export const optionalLaws = {
  spreads: agrees(spreadAlone),
  saysWhyNotSpread: namesItsReason(spreadAlone),
  coreWithSpread: combine(others(withSpread)),
  keepsCompany: agrees(companyAlone),
  saysWhyNotTogether: namesItsReason(companyAlone),
  keepsPodsApart: keepsPodsApart(companyAlone),
  coreWithCompany: combine(others(withCompany)),
  coreWithBoth: combine(others(withBoth)),
};
