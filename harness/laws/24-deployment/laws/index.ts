import type { Deployment } from '../../../api/objects.ts';
import { deployments } from '../../../api/resource.ts';
import { sameResource } from '../../../apiserver/storage/storage.ts';
import { type Law as LawAbout, lawAbout } from '../../../testing/holds.ts';
import type { Obligations } from '../../../testing/rig/obligations.ts';
import { REMARK } from '../environment/asked-objects.ts';
import type { DeploymentHistory, Order } from '../history.ts';
import {
  coreObligations,
  historyObligations,
  type Snapshot,
  sizeObligations,
  together,
} from '../oracle/obligations.ts';
import { COMPLETE, conditionOf, EXCEEDED, isGoing, revisionOf } from '../oracle/truth.ts';
import * as budget from './budget.ts';
import * as end from './end.ts';
import * as past from './history.ts';
import * as identity from './identity.ts';
import * as order from './order.ts';
import * as owed from './owed.ts';
import * as progress from './progress.ts';
import * as size from './size.ts';
import * as status from './status.ts';

type DeploymentLaw = LawAbout<DeploymentHistory>;

/** @param situation - the case that the law is about; the law fails if no run reaches it: "There was never …" */
function law(
  situation: string,
  isMet: (history: DeploymentHistory) => boolean,
  read: budget.Law,
): DeploymentLaw {
  return lawAbout({ name: situation, isMet }, read);
}

const ordered =
  (isOne: (order: Order) => boolean) =>
  ({ orders }: DeploymentHistory): boolean =>
    orders.some(isOne);
const grows = ordered((one) => budget.sizesOf(one)[1] > budget.sizesOf(one)[0]);
const shrinks = ordered((one) => budget.sizesOf(one)[1] < budget.sizesOf(one)[0]);
const creates = ordered(({ entry }) => entry.type === 'ADDED');
const rests = ({ restedMs }: DeploymentHistory): boolean => restedMs !== undefined;
const writesStatus =
  (isOne: (before: Deployment, after: Deployment) => boolean) =>
  ({ statuses }: DeploymentHistory): boolean =>
    statuses.some(({ entry: { previous, object } }) => previous !== undefined && isOne(previous, object));
const reasonOf = ({ status: one }: Deployment): string | undefined => conditionOf(one, 'Progressing')?.reason;

/** Safety: see {@link budget.withinBudget}. */
export const withinBudget = law('a ReplicaSet that it made bigger', grows, budget.withinBudget);

/** Safety: see {@link budget.staysAvailable}. */
export const staysAvailable = law('a ReplicaSet that it made smaller', shrinks, budget.staysAvailable);

/** Safety: see {@link order.oldestFirst}. */
export const oldestFirst = law(
  'an old ReplicaSet that it made smaller while there was another',
  ordered((one) => budget.sizesOf(one)[1] < budget.sizesOf(one)[0] && one.others.length > 1),
  order.oldestFirst,
);

/** Safety: see {@link order.keepsEnough}. */
export const keepsEnough = law('a ReplicaSet that it made smaller', shrinks, order.keepsEnough);

/** Safety: see {@link identity.onePerTemplate}. */
export const onePerTemplate = law('a ReplicaSet that it created', creates, identity.onePerTemplate);

/** Safety: see {@link identity.madeAsAsked}. */
export const madeAsAsked = law('a ReplicaSet that it created', creates, identity.madeAsAsked);

/** Safety: see {@link identity.mindsItsOwn}. */
export const mindsItsOwn = law(
  'a ReplicaSet that it adopted',
  ordered(identity.isAdoption),
  identity.mindsItsOwn,
);

/** Safety: see {@link identity.revisionMoves}. */
export const revisionMoves = law(
  'a second roll-out',
  ordered(({ entry }) => revisionOf(entry.object) > 1),
  identity.revisionMoves,
);

/** Safety: see {@link identity.undoesNoWork}. */
export const undoesNoWork = law(
  'a ReplicaSet that it changed after another client had written to it',
  ordered(({ entry }) => entry.previous?.metadata.annotations?.[REMARK] !== undefined),
  identity.undoesNoWork,
);

/** Safety: see {@link identity.respectsDeletion}. */
export const respectsDeletion = law(
  'a Deployment that was being deleted',
  ({ left }) => isGoing(left.deployment),
  identity.respectsDeletion,
);

/** Safety: see {@link status.truthful}. */
export const truthful = law(
  'a status that it wrote',
  ({ statuses }) => statuses.length > 0,
  (history) => [...status.truthful(history), ...progress.transitionsInTime(history)],
);

/** Safety: see {@link progress.progressCounts}. */
export const progressCounts = law(
  'a roll-out that went on for a while',
  writesStatus((before, after) => progress.isStep(before.status, after.status)),
  progress.progressCounts,
);

/** Safety: see {@link progress.staysOver}. */
export const staysOver = law(
  'a complete roll-out that lost pods',
  writesStatus(
    (before, after) =>
      reasonOf(before) === COMPLETE &&
      (before.status.availableReplicas ?? 0) > (after.status.availableReplicas ?? 0),
  ),
  progress.staysOver,
);

/** Safety and liveness: see {@link status.keepsDeadline}. */
export const keepsDeadline = law(
  'a deadline that passed',
  (history) =>
    writesStatus((_, after) => reasonOf(after) === EXCEEDED)(history) || end.isPastDeadline(history),
  status.keepsDeadline,
);

/** Liveness: see {@link end.converges}. */
export const converges = law('a run in which nothing was left to do', rests, end.converges);

/** Liveness: see {@link end.scalesWhilePaused}. */
export const scalesWhilePaused = law(
  'a paused Deployment that was scaled',
  ({ journal }) =>
    journal.some(
      ({ resource, object, previous }) =>
        previous !== undefined &&
        sameResource(resource, deployments) &&
        (object as Deployment).spec.paused === true &&
        (object as Deployment).spec.replicas !== (previous as Deployment).spec.replicas,
    ),
  end.scalesWhilePaused,
);

/** Liveness: see {@link end.finalStatus}. */
export const finalStatus = law('a run in which nothing was left to do', rests, end.finalStatus);

/** Liveness: see {@link end.stopsWriting}. */
export const stopsWriting: DeploymentLaw = end.stopsWriting;

/** Liveness: see {@link owed.finishes}. */
export const finishes = law('a run in which nothing was left to do', rests, owed.finishes(coreObligations));

/** Liveness: see {@link owed.prompt}. */
export const prompt = law('a run in which nothing was left to do', rests, owed.prompt(coreObligations));

/** ★ Liveness: see {@link size.inProportion}. */
export const inProportion = law(
  'a paused Deployment with two ReplicaSets that was scaled',
  (history) => size.lastChange(history) !== undefined,
  size.inProportion,
);

/** ★ Safety: see {@link budget.neverOverlaps}. */
export const neverOverlaps = law(
  'a ReplicaSet that began under Recreate after another',
  ordered(
    (one) =>
      budget.sizesOf(one)[0] === 0 &&
      budget.sizesOf(one)[1] > 0 &&
      one.others.length > 0 &&
      one.versions.every(({ spec }) => spec.strategy.type === 'Recreate'),
  ),
  budget.neverOverlaps,
);

/** ★ Safety and liveness: see {@link past.trimsHistory}. */
export const trimsHistory = law(
  'a ReplicaSet that it deleted',
  ordered(({ entry }) => entry.type === 'DELETED'),
  past.trimsHistory,
);

/** ★ Liveness: see {@link past.rollsBack}. */
export const rollsBack = law('a roll-out that was undone', ({ undone }) => undone.length > 0, past.rollsBack);

/** The laws of the core by name, except the laws about obligations. */
const core: Readonly<Record<string, DeploymentLaw>> = {
  'Within budget': withinBudget,
  'Stays available': staysAvailable,
  'Oldest first': oldestFirst,
  'Keeps enough': keepsEnough,
  'One per template': onePerTemplate,
  'Made as asked': madeAsAsked,
  'Minds its own': mindsItsOwn,
  'Moves the revision': revisionMoves,
  'Undoes no work': undoesNoWork,
  'Respects deletion': respectsDeletion,
  Truthful: truthful,
  'Progress counts': progressCounts,
  'Stays over': staysOver,
  'Keeps the deadline': keepsDeadline,
  Converges: converges,
  'Scales while paused': scalesWhilePaused,
  'Final status': finalStatus,
  'Stops writing': stopsWriting,
};

/** ★ The laws of the core, with changes of size during a roll-out. */
export const stillWithSizes = still(sizeObligations);

/** ★ The laws of the core, under Recreate. */
export const stillWithRecreate = still();

/** ★ The laws of the core, with rollbacks and a limited history. */
export const stillWithHistory = still(historyObligations);

/** ★ All laws, with every option. */
export const stillWithAll = still(sizeObligations, historyObligations, {
  'In proportion': inProportion,
  'Never overlaps': neverOverlaps,
  'Trims history': trimsHistory,
  'Rolls back': rollsBack,
});

/** Combines the laws of the core, and the laws about obligations, into one law; each violation names its law. */
function still(
  ...more: readonly (Obligations<Snapshot> | Readonly<Record<string, DeploymentLaw>>)[]
): DeploymentLaw {
  const obligations = together(coreObligations, ...more.filter((each) => typeof each === 'function'));
  const laws: Readonly<Record<string, DeploymentLaw>> = Object.assign(
    { ...core },
    ...more.filter((each) => typeof each !== 'function'),
    { Finishes: owed.finishes(obligations), Prompt: owed.prompt(obligations) },
  );
  return law('a run in which nothing was left to do', rests, (history) =>
    Object.entries(laws).flatMap(([name, one]) =>
      one(history).map((violation) => ({ ...violation, message: `${name}: ${violation.message}` })),
    ),
  );
}
