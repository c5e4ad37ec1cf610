import { type Law, lawAbout } from '../../../testing/holds.ts';
import type { ObjectHistory } from './history.ts';
import { readingOf } from './oracle/reading.ts';
import type { ObjectLawName } from './oracle/verdicts.ts';

/** @param situation the situation of the law, for the message "No scenario led to …" */
function law(name: ObjectLawName, situation: string): Law<ObjectHistory> {
  return lawAbout(
    { name: situation, isMet: (history) => readingOf(history).met.has(name) },
    (history) => readingOf(history).violations.get(name) ?? [],
  );
}

/** Liveness. Each call is answered, errors are failures of the API, and watches end with the apiserver. */
export const served = law('served', 'an apiserver that ended');

/** Safety. A write is based on the state just before it. */
export const noLostUpdate = law('noLostUpdate', 'an update with other writes during its call');

/** Safety. An update that changes nothing is not written. */
export const noEmptyWrite = law('noEmptyWrite', 'an update that changed nothing');

/** Safety. A written or deleted object has the revision of its write; a list has a revision of the store. */
export const ownVersion = law('ownVersion', 'a write that succeeded');

/** Safety. A write happens only if its preconditions hold for the state just before it. */
export const guarded = law('guarded', 'a write with a precondition');

/** Safety. A list has only keys of its namespace, in the order of the keys. */
export const neighbours = law('neighbours', 'objects in namespaces whose names begin alike');

/** Safety. A read shows the state that its resourceVersion asks for. */
export const askedState = law('askedState', 'a list at a past revision');

/** Safety and liveness. A read waits up to three seconds for its revision, and no longer than necessary. */
export const freshInTime = law('freshInTime', 'a read of a revision that the store did not reach');

/** Safety. All pages of a list show one revision, without gaps and doubles. */
export const pages = law('pages', 'a second page after a change');

/** Safety. A watch continues exactly where its list or its start was. */
export const nothingMissing = law('nothingMissing', 'a watch from the version of a list');

/** Safety. Objects that enter or leave the selection of a watch are added or deleted there. */
export const selection = law('selection', 'an object that entered or left a selection');

/** Liveness. At rest, each cache and each watch has the state of the store. */
export const caughtUp = law('caughtUp', 'a read of a cache at rest');
