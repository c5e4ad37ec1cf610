import type { Deployment, ReplicaSet } from '../../../api/objects.ts';
import { controllerOf } from '../../../api/predicates.ts';
import type { Violation } from '../../../testing/holds.ts';
import type { Order } from '../history.ts';
import { HASH_LABEL, isGoing, revisionOf, sameTemplate, selects } from '../oracle/truth.ts';
import { type Law, violationOf } from './budget.ts';

/**
 * Safety, under every fault. No second ReplicaSet is created for a template, despite crashes, stale caches and lost responses. A
 * Deployment that returns to a template reuses its ReplicaSet.
 */
export const onePerTemplate: Law = ({ orders }) =>
  orders.flatMap(({ entry, others }): Violation[] => {
    if (entry.type !== 'ADDED') return [];
    const { name } = entry.object.metadata;
    const twin = others.find(({ spec }) => sameTemplate(spec.template, entry.object.spec.template));
    if (!twin) return [];
    const message = `the controller created ${name}, although ${twin.metadata.name} already has this template`;
    return [violationOf(entry, message, twin)];
  });

/**
 * Safety, under every fault. A created ReplicaSet matches a Deployment that was not paused: its template, its labels and selector with
 * the hash, and an owner.
 */
export const madeAsAsked: Law = ({ orders }) =>
  orders.flatMap((order): Violation[] => {
    const { entry, versions } = order;
    if (entry.type !== 'ADDED') return [];
    const wrong = whatIsWrong(order);
    if (wrong === undefined) return [];
    const { name } = entry.object.metadata;
    const paused = versions.length > 0 && versions.every(({ spec }) => spec.paused);
    return [
      violationOf(
        entry,
        `the controller created ${name} ${paused ? 'while the Deployment was paused' : wrong}`,
      ),
    ];
  });

/** The difference from every version of the Deployment, or undefined. */
function whatIsWrong({ entry, versions }: Order): string | undefined {
  const { object } = entry;
  if (versions.length === 0) return 'without a Deployment as its controller';
  const askedFor = versions.filter(
    ({ spec }) => !spec.paused && sameTemplate(spec.template, object.spec.template),
  );
  const [asked] = askedFor;
  if (!asked) {
    return versions.some(({ spec }) => sameTemplate(spec.template, object.spec.template))
      ? 'for a template that the Deployment had only while spec.paused was true: a paused Deployment starts no roll-out'
      : 'with a template that the Deployment never had';
  }
  const hash = object.metadata.labels?.[HASH_LABEL];
  const { matchLabels = {} } = object.spec.selector;
  if (!hash) return `without the label ${HASH_LABEL}`;
  if (matchLabels[HASH_LABEL] !== hash) return `whose selector lacks its ${HASH_LABEL}`;
  if (object.spec.template.metadata?.labels?.[HASH_LABEL] !== hash)
    return `whose pods lack its ${HASH_LABEL}`;
  if (!selects(asked, object)) return 'which the Deployment does not select';
  if (!asksForAll(asked, object)) return 'whose selector lacks a part of the selector of the Deployment';
  return undefined;
}

function asksForAll({ spec }: Deployment, object: ReplicaSet): boolean {
  const { matchLabels = {} } = object.spec.selector;
  return Object.entries(spec.selector.matchLabels ?? {}).every(([key, value]) => matchLabels[key] === value);
}

/**
 * Safety, under every fault. The controller does not write ReplicaSets of another controller. It adopts a selected ReplicaSet without a
 * controller before it changes it, and no other.
 */
export const mindsItsOwn: Law = ({ orders, deployments }) =>
  orders.flatMap(({ entry }): Violation[] => {
    const { previous, object } = entry;
    if (!previous) return [];
    const before = controllerOf(previous);
    const after = controllerOf(object);
    const { name } = object.metadata;
    const bad = (message: string): Violation[] => [violationOf(entry, message)];
    if (before) {
      const isOurs = deployments
        .between(before.uid, 0, entry.revision - 1)
        .some((version) => version !== undefined);
      if (isOurs) return [];
      // The scenario names its controller. The rows near the write show more than all rows about the ReplicaSet.
      const message = `the controller changed ${name}, which ${before.kind} ${before.name} controls`;
      return [{ atMs: entry.atMs, message }];
    }
    if (!after) return bad(`the controller changed ${name}, which has no controller, without adopting it`);
    const adopter = deployments
      .between(after.uid, 0, entry.revision - 1)
      .find((version) => version !== undefined);
    if (!adopter) return bad(`the controller gave ${name} an owner that never existed`);
    return selects(adopter, previous)
      ? []
      : bad(`the controller adopted ${name}, which the selector of the Deployment does not match`);
  });

/**
 * Safety, under every fault. The revision of a ReplicaSet never goes back. A created or reused ReplicaSet gets a higher revision than
 * all that the controller has observed.
 */
export const revisionMoves: Law = (history) =>
  history.orders.flatMap(({ entry, others, observed }): Violation[] => {
    const { previous, object, type } = entry;
    if (type === 'DELETED') return [];
    const [before, after] = [previous ? revisionOf(previous) : 0, revisionOf(object)];
    const { name } = object.metadata;
    if (after < before) {
      return [
        violationOf(entry, `the controller lowered the revision of ${name} from ${before} to ${after}`),
      ];
    }
    if (after === before) return [];
    const high = others.find((other) => {
      const seen = history.replicaSets.between(other.metadata.uid, observed.replicasets, entry.revision - 1);
      return seen.every(
        (each) => each && controllerOf(each)?.uid === controllerOf(object)?.uid && revisionOf(each) >= after,
      );
    });
    if (!high) return [];
    const message = `the controller gave ${name} revision ${after}, but ${high.metadata.name} has ${revisionOf(high)}; the newest ReplicaSet must have the highest revision`;
    return [violationOf(entry, message, high)];
  });

/** Tests whether this write adopts the ReplicaSet. */
export function isAdoption({ entry: { previous, object, type } }: Order): boolean {
  return (
    type !== 'DELETED' &&
    previous !== undefined &&
    !controllerOf(previous) &&
    controllerOf(object) !== undefined
  );
}

/** Annotations that the controller writes itself. */
const PREFIX = 'deployment.kubernetes.io/';

/** Safety, under every fault. Each write keeps the annotations and controllers that others wrote to a ReplicaSet. */
export const undoesNoWork: Law = ({ orders }) =>
  orders.flatMap(({ entry }): Violation[] => {
    const { previous, object, type } = entry;
    if (!previous || type === 'DELETED') return [];
    const { name } = object.metadata;
    const lost = Object.entries(previous.metadata.annotations ?? {}).find(
      ([key, value]) => !key.startsWith(PREFIX) && object.metadata.annotations?.[key] !== value,
    );
    if (lost)
      return [
        violationOf(
          entry,
          `the controller overwrote the annotation ${lost[0]}=${lost[1]} that another client had written to ${name}`,
        ),
      ];
    const [before, after] = [controllerOf(previous), controllerOf(object)];
    if (!before || !after || before.uid === after.uid) return [];
    return [violationOf(entry, `the controller took ${name} away from ${before.kind} ${before.name}`)];
  });

/** The longest time between a read before an adoption and the adoption. */
const ASKED_MS = 1_000;

/**
 * Safety, under every fault. The controller adopts only a ReplicaSet that is not being deleted, for a Deployment that exists and is not being
 * deleted. It creates and changes nothing for a Deployment that is being deleted.
 */
export const respectsDeletion: Law = (history) =>
  history.orders.flatMap((order): Violation[] => {
    const { entry, versions, observed } = order;
    const { previous, object, type } = entry;
    const { name, uid } = object.metadata;
    if (type === 'DELETED') return [];
    const bad = (message: string): Violation[] => [violationOf(entry, message)];
    if (isAdoption(order)) {
      const owner = controllerOf(object)?.uid;
      const seen = history.replicaSets.between(uid, observed.replicasets, entry.revision - 1);
      if (seen.every((each) => each && isGoing(each)))
        return bad(`the controller adopted ${name}, which is being deleted`);
      const asked = history.deployments.of(owner)?.duringMs(entry.atMs - ASKED_MS, entry.atMs) ?? [];
      if (!asked.some((each) => each && !isGoing(each)))
        return bad(
          `the controller adopted ${name} for a Deployment that has been deleted, or is being deleted, for a second: ask the server before you adopt`,
        );
    }
    if (versions.length === 0 || !versions.every(isGoing)) return [];
    return bad(
      `the controller ${previous ? 'changed' : 'created'} ${name} for a Deployment that is being deleted`,
    );
  });
