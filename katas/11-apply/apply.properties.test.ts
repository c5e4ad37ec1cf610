import { describe, test } from 'vitest';
import { holds, remembering } from '#harness/testing';
import { apply } from '#kata/11-apply/apply';
import {
  type ApplyScenario,
  applyLaws,
  orderWorkloads,
  ownerWorkloads,
  pruneWorkloads,
  runApply,
  workloads,
} from '#laws/11-apply';

/** Runs each scenario once for all laws. The laws use only `apply`. */
const live = remembering((scenario: ApplyScenario) => runApply(apply, scenario));

// Causes come before effects: an apply that never ends has no report, one that reads nothing cannot merge, and a patch for
// an old object merges wrongly.
describe('The laws of an apply', () => {
  test('Always reports: every apply ends with a report, whatever fails', () =>
    holds(applyLaws.reports, workloads, live));

  test('Reads first: a missing object is created, and a live one is changed, only after a read', () =>
    holds(applyLaws.readsFirst, workloads, live));

  test('Only force deletes: an object is deleted only by --force after a refusal, and then created again', () =>
    holds(applyLaws.neverLost, workloads, live));

  test('Dry run: a dry run writes nothing, and reports the object that the apply would write', () =>
    holds(applyLaws.dryRun, workloads, live));
});

describe('The laws of conflicts', () => {
  test('Fresh retry: the patch after a conflict is computed from a live object that was read after it', () =>
    holds(applyLaws.fresh, workloads, live));

  test('Bounded retries: an object gets at most six patches, with pauses of 0, 1, 1, 1 and 1 seconds', () =>
    holds(applyLaws.bounded, workloads, live));
});

describe('The laws of the merge', () => {
  test('Remembers: the annotation of a written object is the encoded manifest, to the byte', () =>
    holds(applyLaws.remembered, workloads, live));

  test('Creates whole: a new object is the manifest with its annotation, without nulls', () =>
    holds(applyLaws.createsWhole, workloads, live));

  test('Nothing foreign: a field that neither manifest has stays as others left it', () =>
    holds(applyLaws.foreign, workloads, live));

  test('Manifest wins: each field of the manifest has its value, whoever changed it', () =>
    holds(applyLaws.manifestWins, workloads, live));

  test('Removed means gone: a field that the last manifest had and this one lacks is gone', () =>
    holds(applyLaws.removed, workloads, live));

  test('Quiet: an unchanged manifest of an unchanged object causes no write', () =>
    holds(applyLaws.quiet, workloads, live));
});

describe('The laws of the report', () => {
  test('Independent: a document or an object that fails stops no other one', () =>
    holds(applyLaws.independent, workloads, live));

  test('One result: every object of the documents has one result, and no other object has one', () =>
    holds(applyLaws.oneResult, workloads, live));

  test('In order: objects are applied in the order of their documents', () =>
    holds(applyLaws.inOrder, workloads, live));

  test('Names errors: every failure is an error with its file and its cause', () =>
    holds(applyLaws.namesErrors, workloads, live));

  test('True report: the result of an object is the one that its requests had', () =>
    holds(applyLaws.truth, workloads, live));

  test('Warns: the report warns of a missing annotation and of an object that is being deleted', () =>
    holds(applyLaws.warns, workloads, live));
});

describe('★ The laws of order and retained keys (Level 9)', () => {
  test('Keeps order: a list that merges has the items of the manifest in its order', () =>
    holds(applyLaws.keepsOrder, orderWorkloads, live));

  test('Retains keys: a strategy and a volume keep no field of the choice before', () =>
    holds(applyLaws.retained, orderWorkloads, live));
});

describe('★ The laws of server-side applies (Level 10)', () => {
  test('Server-side: a server-side apply sends the manifest as it is, with the flags', () =>
    holds(applyLaws.serverSide, ownerWorkloads, live));

  test('Owners move: fields of client-side applies belong to the manager of server-side ones afterwards', () =>
    holds(applyLaws.owners, ownerWorkloads, live));
});

describe('★ The law of pruning (Level 11)', () => {
  test('Prunes exactly: the selected objects that were applied and are in no document now are deleted', () =>
    holds(applyLaws.prunes, pruneWorkloads, live));
});
