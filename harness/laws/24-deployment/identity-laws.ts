import type { Deployment, ReplicaSet } from '../../api/objects.ts';
import { controllerOf } from '../../api/predicates.ts';
import type { Breach } from '../../testing/holds.ts';
import { breachOf, type Law } from './budget-laws.ts';
import type { Order } from './history.ts';
import { HASH_LABEL, isGoing, revisionOf, sameTemplate, selects } from './truth.ts';

/**
 * Safety, under every fault. No ReplicaSet is made for a template for which the Deployment has one: crashes, stale caches and
 * lost answers notwithstanding, and a Deployment that goes back to a template goes back to its ReplicaSet.
 */
export const onePerTemplate: Law = ({ orders }) =>
  orders.flatMap(({ entry, others }): Breach[] => {
    if (entry.type !== 'ADDED') return [];
    const { name } = entry.object.metadata;
    const twin = others.find(({ spec }) => sameTemplate(spec.template, entry.object.spec.template));
    if (!twin) return [];
    const message = `made ${name} for a template for which there was ${twin.metadata.name} already`;
    return [breachOf(entry, message, twin)];
  });

/**
 * Safety, under every fault. What is made is what a Deployment asked for that was not paused: its template, its labels and
 * selector with the hash, and an owner.
 */
export const madeAsAsked: Law = ({ orders }) =>
  orders.flatMap((order): Breach[] => {
    const { entry, versions } = order;
    if (entry.type !== 'ADDED') return [];
    const wrong = whatIsWrong(order);
    if (wrong === undefined) return [];
    const { name } = entry.object.metadata;
    const paused = versions.length > 0 && versions.every(({ spec }) => spec.paused);
    return [breachOf(entry, `made ${name} ${paused ? 'while the Deployment was paused' : wrong}`)];
  });

/** What no version of the Deployment can account for; absent when one can. */
function whatIsWrong({ entry, versions }: Order): string | undefined {
  const { object } = entry;
  if (versions.length === 0) return 'for no Deployment that there was';
  const askedFor = versions.filter(
    ({ spec }) => !spec.paused && sameTemplate(spec.template, object.spec.template),
  );
  const [asked] = askedFor;
  if (!asked) return 'of a template that the Deployment does not have';
  const hash = object.metadata.labels?.[HASH_LABEL];
  const { matchLabels = {} } = object.spec.selector;
  if (!hash) return `without the label ${HASH_LABEL}`;
  if (matchLabels[HASH_LABEL] !== hash) return `whose selector does not ask for its ${HASH_LABEL}`;
  if (object.spec.template.metadata?.labels?.[HASH_LABEL] !== hash)
    return `whose pods lack its ${HASH_LABEL}`;
  if (!selects(asked, object)) return 'which the Deployment does not select';
  if (!asksForAll(asked, object)) return 'whose selector asks for less than that of the Deployment';
  return undefined;
}

function asksForAll({ spec }: Deployment, object: ReplicaSet): boolean {
  const { matchLabels = {} } = object.spec.selector;
  return Object.entries(spec.selector.matchLabels ?? {}).every(([key, value]) => matchLabels[key] === value);
}

/**
 * Safety, under every fault. What belongs to another controller is left alone. What has no controller and is selected is
 * adopted, and only then changed; what is not selected is not.
 */
export const mindsItsOwn: Law = ({ orders, deployments }) =>
  orders.flatMap(({ entry }): Breach[] => {
    const { previous, object } = entry;
    if (!previous) return [];
    const before = controllerOf(previous);
    const after = controllerOf(object);
    const { name } = object.metadata;
    const bad = (message: string): Breach[] => [breachOf(entry, message)];
    if (before) {
      const isOurs = deployments
        .between(before.uid, 0, entry.revision - 1)
        .some((version) => version !== undefined);
      if (isOurs) return [];
      // Its controller stands in the scenario: the rows near the write say more than all that were ever about it.
      const message = `changed ${name}, which belongs to ${before.kind} ${before.name}`;
      return [{ atMs: entry.atMs, message }];
    }
    if (!after) return bad(`changed ${name}, which has no controller, without adopting it`);
    const adopter = deployments
      .between(after.uid, 0, entry.revision - 1)
      .find((version) => version !== undefined);
    if (!adopter) return bad(`gave ${name} an owner that there never was`);
    return selects(adopter, previous) ? [] : bad(`adopted ${name}, which it does not select`);
  });

/**
 * Safety, under every fault. A ReplicaSet's revision never goes back; and the one that is made, or gone back to, gets a
 * higher one than those of which the controller had been told.
 */
export const revisionMoves: Law = (history) =>
  history.orders.flatMap(({ entry, others, told }): Breach[] => {
    const { previous, object, type } = entry;
    if (type === 'DELETED') return [];
    const [before, after] = [previous ? revisionOf(previous) : 0, revisionOf(object)];
    const { name } = object.metadata;
    if (after < before) {
      return [breachOf(entry, `took the revision of ${name} back from ${before} to ${after}`)];
    }
    if (after === before) return [];
    const high = others.find((other) => {
      const seen = history.replicaSets.between(other.metadata.uid, told.replicasets, entry.revision - 1);
      return seen.every(
        (each) => each && controllerOf(each)?.uid === controllerOf(object)?.uid && revisionOf(each) >= after,
      );
    });
    if (!high) return [];
    const message = `gave ${name} revision ${after}, but ${high.metadata.name} has ${revisionOf(high)}: the newest has the highest`;
    return [breachOf(entry, message, high)];
  });

/** Does the controller adopt the ReplicaSet by this write? */
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

/** Safety, under every fault. Annotations and controllers that others wrote to a ReplicaSet are still there after each write. */
export const undoesNoWork: Law = ({ orders }) =>
  orders.flatMap(({ entry }): Breach[] => {
    const { previous, object, type } = entry;
    if (!previous || type === 'DELETED') return [];
    const { name } = object.metadata;
    const lost = Object.entries(previous.metadata.annotations ?? {}).find(
      ([key, value]) => !key.startsWith(PREFIX) && object.metadata.annotations?.[key] !== value,
    );
    if (lost) return [breachOf(entry, `undid what another client wrote to ${name}: ${lost[0]}=${lost[1]}`)];
    const [before, after] = [controllerOf(previous), controllerOf(object)];
    if (!before || !after || before.uid === after.uid) return [];
    return [breachOf(entry, `took ${name} away from ${before.kind} ${before.name}`)];
  });

/** A controller that asks right before it adopts is late by no more than that. */
const ASKED_MS = 1_000;

/**
 * Safety, under every fault. Only a ReplicaSet that is not being deleted is adopted, and only for a Deployment that is there and
 * not being deleted. For a Deployment that is, nothing is created and nothing changed.
 */
export const leavesTheDeletedAlone: Law = (history) =>
  history.orders.flatMap((order): Breach[] => {
    const { entry, versions, told } = order;
    const { previous, object, type } = entry;
    const { name, uid } = object.metadata;
    if (type === 'DELETED') return [];
    const bad = (message: string): Breach[] => [breachOf(entry, message)];
    if (isAdoption(order)) {
      const owner = controllerOf(object)?.uid;
      const seen = history.replicaSets.between(uid, told.replicasets, entry.revision - 1);
      if (seen.every((each) => each && isGoing(each))) return bad(`adopted ${name}, which is being deleted`);
      const asked = history.deployments.of(owner)?.duringMs(entry.atMs - ASKED_MS, entry.atMs) ?? [];
      if (!asked.some((each) => each && !isGoing(each)))
        return bad(`adopted ${name} for a Deployment that has been gone, or going, for a second`);
    }
    if (versions.length === 0 || !versions.every(isGoing)) return [];
    return bad(`${previous ? 'changed' : 'created'} ${name} for a Deployment that is being deleted`);
  });
