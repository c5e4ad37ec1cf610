import { type Law, lawAbout } from '../../../testing/holds.ts';
import type { ApplyHistory } from '../history.ts';
import type { LawName } from '../oracle/findings.ts';
import { failureOf, readingOf } from '../oracle/reading.ts';

/** @param situation - the situation of the law, for the message "No scenario led to …" */
function law(name: LawName, situation: string): Law<ApplyHistory> {
  return lawAbout(
    { name: situation, isMet: (history) => readingOf(history).met.has(name), inVain: failureOf },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/** Liveness. Every apply ends with a report, whatever fails. */
export const reports = law('reports', 'an apply');

/** Safety. A document or an object that fails stops no other one. */
export const independent = law('independent', 'an object beside something that fails');

/** Safety. Every object of the documents has one result, and no other object has one. */
export const oneResult = law('oneResult', 'an object in a document');

/** Safety. Every failure is an error with its file and its cause. */
export const namesErrors = law('namesErrors', 'a document or an object that fails');

/** Safety. The reported result of an object agrees with its requests. */
export const truth = law('truth', 'an object that was applied');

/** Safety. The report warns of live objects without the annotation, and of objects under deletion. */
export const warns = law('warns', 'a live object without the annotation');

/** Safety. Objects are applied in the order of their documents. */
export const inOrder = law('inOrder', 'two documents with objects');

/** Safety. A write follows a read of the object: a missing object is created, a live one is changed. */
export const readsFirst = law('readsFirst', 'an apply');

/** Safety. A new object is the manifest with its annotation, without nulls. */
export const createsWhole = law('createsWhole', 'an object that was missing');

/** Safety. After an apply, each field of the manifest has its value, whoever changed it. */
export const manifestWins = law('manifestWins', 'a live object that differs from the manifest');

/** Safety. After an apply, a field of the annotation that the manifest lacks is gone. */
export const removed = law('removed', 'a manifest that lost a field');

/** Safety. A field that neither the annotation nor the manifest has stays as it is. */
export const foreign = law('foreign', 'a live object with a field of another client');

/** Safety. An unchanged manifest of an unchanged object causes no write. */
export const quiet = law('quiet', 'an object that already matches its manifest');

/** Safety. The annotation of a written object is the encoded manifest, to the byte. */
export const remembered = law('remembered', 'an object with another annotation');

/** Safety. The patch after a conflict is computed from a live object that was read after it. */
export const fresh = law('fresh', 'a patch after a conflict');

/** Safety. An object gets at most six patches, with pauses of 0, 1, 1, 1 and 1 seconds before the reads; only a conflict causes another. */
export const bounded = law('bounded', 'a patch after a conflict');

/** Safety. A dry run writes nothing, and reports the object that the apply would write. */
export const dryRun = law('dryRun', 'a dry run');

/** Safety and liveness. Only `--force` deletes, only after a refusal, and the new object or the old one exists then. */
export const neverLost = law('neverLost', 'an object that --force deleted');

/** ★ Safety. A list that merges has the items of the manifest in its order, and other items in their own. */
export const keepsOrder = law('keepsOrder', 'a manifest that reorders a list');

/** ★ Safety. A strategy and a volume keep no field of the choice before. */
export const retained = law('retained', 'a changed strategy or volume');

/** ★ Safety. A server-side apply sends the manifest as it is, with the flags. */
export const serverSide = law('serverSide', 'a server-side apply');

/** ★ Safety. After a server-side apply, the fields of client-side applies belong to kubectl's manager. */
export const owners = law('owners', 'a server-side apply of an object with client-side owners');

/** ★ Safety and liveness. Prune deletes exactly the selected objects that were applied and are in no document now. */
export const prunes = law('prunes', 'an object to prune');
