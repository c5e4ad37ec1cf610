import { describe, test } from 'vitest';
import { filterLaws as laws, obeys } from '#harness/testing';
import { filtering } from '#kata/filter';

describe('The laws of filters', () => {
  test('Agrees: each plugin lets a pod pass on exactly the nodes on which its rule is kept', () =>
    obeys(filtering, laws.agrees));

  test('Agrees in the sum: a pod fits on exactly the nodes on which it may run, in the order in which they are looked at', () =>
    obeys(filtering, laws.agreesInTheSum));

  test('Names its reason: in the words of Kubernetes, and with the right code', () =>
    obeys(filtering, laws.namesItsReason));

  test('Means never: what it calls unresolvable, no pod of that node can make way for; what it does not, others can', () =>
    obeys(filtering, laws.meansNever));

  test('Wishes decide nothing: what is only preferred turns nobody away', () =>
    obeys(filtering, laws.wishesDecideNothing));

  test('Never overcommits: pod after pod is put where it fits, and no node gets more than it has room for', () =>
    obeys(filtering, laws.neverOvercommits));

  test('Growing takes nothing away: an empty node more changes no verdict on the others, spread aside', () =>
    obeys(filtering, laws.growingTakesNothingAway));

  test('More is never less: where a pod fits, it fits when the nodes have more, and when it asks for less', () =>
    obeys(filtering, laws.moreIsNeverLess));

  test('Order does not matter: neither that of nodes nor that of plugins changes which nodes fit', () =>
    obeys(filtering, laws.orderDoesNotMatter));

  test('The diagnosis is whole: each node fits, or was told why not by the first that turned the pod away', () =>
    obeys(filtering, laws.diagnosisIsWhole));

  test('Enough is enough: in a large cluster it stops when it has found enough, and the next pod begins there', () =>
    obeys(filtering, laws.enoughIsEnough));

  test('Looks only: asked again it says the same, and everything is as it was', () =>
    obeys(filtering, laws.looksOnly));

  test('Keeps cycles apart: what was worked out for one pod is not there for the next', () =>
    obeys(filtering, laws.keepsCyclesApart));
});
