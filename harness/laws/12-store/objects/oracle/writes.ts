import type { KubeObject } from '../../../../api/objects.ts';
import type { ObjectPlace, StorePreconditions } from '../../../../contracts/store/index.ts';
import { changed, Declined, keyOf, type ObjectCall } from '../history.ts';
import { sayCall, sayGap, sayObject, sayObjectAnswer, sayUnlike } from '../render/values.ts';
import type { Judged } from './reading.ts';
import { atVersion, isEqual, type Truth } from './truth.ts';
import type { ObjectLawName, ObjectVerdicts } from './verdicts.ts';

/** An update that can have changed nothing, and its answer. */
interface Unchanged {
  readonly one: Judged;
  readonly key: string;
  readonly object: KubeObject;
}

/** Judges the writes of a history. Each successful write of a client is one write of the store. */
export class WriteJudge {
  readonly #truth: Truth;
  readonly #verdicts: ObjectVerdicts;
  /** The call behind each revision. */
  readonly #claims = new Map<number, Judged>();
  /** The updates that can have changed nothing. */
  readonly #unchanged: Unchanged[] = [];

  constructor(truth: Truth, verdicts: ObjectVerdicts) {
    this.#truth = truth;
    this.#verdicts = verdicts;
  }

  judge(one: Judged): void {
    const { answer, call } = one;
    const place =
      call.call === 'create' ? (call.object.metadata as ObjectPlace) : (call as { place: ObjectPlace }).place;
    const key = keyOf(place);
    if (call.call === 'update' && call.preconditions) this.#verdicts.met.add('guarded');
    // An update that could be unchanged may also be the write itself: the others come first.
    if (answer.kind === 'object' && this.#isUnchanged(one, key, answer.object)) {
      this.#verdicts.met.add('noEmptyWrite');
      this.#unchanged.push({ one, key, object: answer.object });
    } else if (answer.kind === 'object') this.#judgeSuccess(one, key, answer.object);
    else this.#judgeRefusal(one, key);
  }

  /** Judges writes that belong to no call. */
  finish(atMs: number): void {
    const { changes, versioned } = this.#truth;
    for (const { one, key, object, objection } of this.#unchangedInOrder()) {
      const revision = Number(object.metadata.resourceVersion);
      const change = changes.find((each) => each.revision === revision && each.key === key);
      const next = change?.before && one.call.call === 'update' && attempt(change.before, one.call.change);
      const isOwn = next && isEqual(atVersion(next, ''), atVersion(object, ''));
      if (isOwn && revision > one.lo && !this.#claims.has(revision)) this.#judgeSuccess(one, key, object);
      else if (objection)
        this.#break(
          'guarded',
          one,
          `its ${objection} is another, and that counts although nothing has changed`,
        );
    }
    for (const { revision, key, before, after } of changes) {
      if (this.#claims.has(revision)) continue;
      const isEmpty = before && after && isEqual(atVersion(before, ''), atVersion(after, ''));
      const what = after ? sayObject(after) : `the removal of ${key}`;
      this.#verdicts.break(
        isEmpty ? 'noEmptyWrite' : 'noLostUpdate',
        atMs,
        isEmpty
          ? `The store has written ${what}, although it is equal to the state before`
          : `The store has written ${what}, but no call was answered with this revision`,
      );
    }
    for (const key of new Set(versioned))
      this.#verdicts.break(
        'ownVersion',
        atMs,
        `The stored value of ${key} contains a resourceVersion: it must not`,
      );
  }

  /** A call whose preconditions refuse the state can only have written it: these calls come first. */
  #unchangedInOrder(): readonly (Unchanged & { readonly objection?: string | undefined })[] {
    return this.#unchanged
      .map((each) => ({ ...each, objection: objectionOf(each.object, preconditionsOf(each.one.call)) }))
      .sort((a, b) => Number(!a.objection) - Number(!b.objection));
  }

  #break(law: ObjectLawName, { atMs, by, call, answer }: Judged, why: string): void {
    this.#verdicts.break(
      law,
      atMs,
      `${by} called ${sayCall(call)} and got ${sayObjectAnswer(answer)}, but ${why}.`,
    );
  }

  #judgeSuccess(one: Judged, key: string, object: KubeObject): void {
    const { call, lo, hi } = one;
    const revision = Number(object.metadata.resourceVersion);
    const change = this.#truth.changes.find((each) => each.revision === revision && each.key === key);
    const isInTime = revision > lo && revision <= hi;
    if (!change || !isInTime || Boolean(change.after) === (call.call === 'delete')) {
      this.#judgeUnwritten(one, key, revision, object);
      return;
    }
    const other = this.#claims.get(revision);
    if (other) {
      this.#break('noLostUpdate', one, `${other.by} got the same revision for ${sayCall(other.call)}`);
      return;
    }
    this.#claims.set(revision, one);
    const { before, after } = change;
    const shown = after ?? (before && atVersion(before, String(revision)));
    if (!isEqual(object, shown)) {
      this.#break('ownVersion', one, `the store has ${shown ? sayUnlike(shown, object) : 'nothing'}`);
      return;
    }
    this.#verdicts.met.add('ownVersion');
    if (call.call === 'create') {
      if (before) this.#break('noLostUpdate', one, `${sayObject(before)} existed, and was overwritten`);
      return;
    }
    if (!before) {
      this.#break('noLostUpdate', one, `the object did not exist`);
      return;
    }
    const objection = objectionOf(before, preconditionsOf(call));
    if (objection)
      this.#break('guarded', one, `the object was ${sayObject(before)}, and its ${objection} is another`);
    if (call.call !== 'update') return;
    const expected = attempt(before, call.change);
    if (!expected) this.#break('noLostUpdate', one, `the change declines ${sayObject(before)}`);
    else if (!isEqual(atVersion(expected, ''), atVersion(object, '')))
      this.#break(
        'noLostUpdate',
        one,
        `the state before was ${sayObject(before)}: a change in between is lost${sayGap(object, expected)}`,
      );
    else if (isEqual(atVersion(before, ''), atVersion(object, '')))
      this.#break('noEmptyWrite', one, `nothing has changed: it must not write`);
    if (revision - lo > 1) this.#verdicts.met.add('noLostUpdate');
  }

  /** Returns whether an update was right not to write. */
  #isUnchanged({ call, lo, hi }: Judged, key: string, object: KubeObject): boolean {
    if (call.call !== 'update') return false;
    return this.#some(lo, hi, key, (now) => {
      if (!now || !isEqual(now, object)) return false;
      const next = attempt(now, call.change);
      return next !== undefined && isEqual(atVersion(next, ''), atVersion(now, ''));
    });
  }

  #judgeUnwritten(one: Judged, key: string, revision: number, object: KubeObject): void {
    const { call, lo } = one;
    const isStale =
      revision <= lo &&
      call.call === 'update' &&
      this.#some(1, lo, key, (now) => now !== undefined && isEqual(now, object));
    if (isStale) this.#break('noLostUpdate', one, `that state was already replaced when the call began`);
    else this.#break('ownVersion', one, `revision ${revision} is not the revision of its write`);
  }

  #judgeRefusal(one: Judged, key: string): void {
    const { answer, call, lo, hi } = one;
    const preconditions = preconditionsOf(call);
    if (answer.kind === 'declined') {
      const isRight =
        call.call === 'update' &&
        this.#some(lo, hi, key, (now) => now !== undefined && !attempt(now, call.change));
      if (!isRight)
        this.#break('noLostUpdate', one, 'the change declines no state that the object had during the call');
      return;
    }
    if (answer.kind !== 'refused') return;
    if (answer.reason === 'NotFound' && call.call !== 'create') {
      if (!this.#some(lo, hi, key, (now) => !now))
        this.#break('askedState', one, 'the object existed all the time');
    } else if (answer.reason === 'AlreadyExists' && call.call === 'create') {
      if (!this.#some(lo, hi, key, (now) => now !== undefined))
        this.#break('askedState', one, 'the object did not exist');
    } else if (answer.reason === 'Conflict') {
      this.#verdicts.met.add('guarded');
      if (!preconditions) this.#break('noLostUpdate', one, 'it had no precondition: it must try again');
      else if (
        !this.#some(lo, hi, key, (now) => now !== undefined && objectionOf(now, preconditions) !== undefined)
      )
        this.#break('guarded', one, 'the preconditions held all the time');
    } else this.#break('served', one, 'no write of these scenarios can fail so');
  }

  #some(lo: number, hi: number, key: string, is: (now: KubeObject | undefined) => boolean): boolean {
    for (let revision = lo; revision <= hi; revision++)
      if (is(this.#truth.states[revision]?.get(key))) return true;
    return false;
  }
}

function preconditionsOf(call: ObjectCall): StorePreconditions | undefined {
  return 'preconditions' in call ? call.preconditions : undefined;
}

function objectionOf(
  { metadata }: KubeObject,
  preconditions: StorePreconditions | undefined,
): string | undefined {
  const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = preconditions ?? {};
  if (uid !== metadata.uid) return 'uid';
  return resourceVersion === metadata.resourceVersion ? undefined : 'resourceVersion';
}

function attempt(object: KubeObject, change: Parameters<typeof changed>[1]): KubeObject | undefined {
  try {
    return changed(object, change);
  } catch (error) {
    if (error instanceof Declined) return undefined;
    throw error;
  }
}
