import { lawAbout } from '../../../testing/holds.ts';
import { type NodeHistory, viewOf } from '../history.ts';
import { LIFECYCLE } from '../operations.ts';
import { executeKeys } from '../oracle/taints.ts';
import * as garbage from './garbage.ts';
import * as owed from './owed.ts';
import * as ofPods from './pods.ts';
import * as taints from './taints.ts';
import * as verdicts from './verdicts.ts';

/** @param situation the case that the law is about; the law fails if no run reaches it */
const about = (situation: string, isMet: (history: NodeHistory) => boolean, law: owed.Law) =>
  lawAbout({ name: situation, isMet }, law);

const judges = (history: NodeHistory): boolean => verdicts.verdictsIn(history).length > 0;
const executes = (history: NodeHistory): boolean => taints.executionsIn(history).length > 0;
const marksPods = (history: NodeHistory): boolean => ofPods.marksIn(history).length > 0;
const evicts = (history: NodeHistory): boolean => ofPods.evictionsIn(history).length > 0;
const writesNodes = (history: NodeHistory): boolean =>
  viewOf(history).nodes.some(({ actor }) => actor === LIFECYCLE);

/** Safety: see {@link verdicts.patient}. */
export const patient = about('a node that became Unknown', judges, verdicts.patient);

/** Safety and liveness: see {@link verdicts.ownClock}. */
export const ownClock = about(
  'a node that became Unknown, whose clock is wrong',
  verdicts.judgesSkewed,
  verdicts.ownClock(owed.verdictInTime),
);

/** Safety: see {@link verdicts.honest}. */
export const honest = about('a node that became Unknown', judges, verdicts.honest);

/** Safety: see {@link verdicts.leavesOthersAlone}. */
export const leavesOthersAlone = about(
  'a Node that the controller wrote',
  writesNodes,
  verdicts.leavesOthersAlone,
);

/** Safety: see {@link taints.justified}. */
export const justified = about('a Node that the controller wrote', writesNodes, taints.justified);

/** Safety: see {@link taints.paced}. */
export const paced = about(
  'two nodes with a NoExecute taint',
  (history) => taints.executionsIn(history).length > 1,
  taints.paced,
);

/** Safety: see {@link taints.brakes}. */
export const brakes = about('a node that got a NoExecute taint', executes, taints.brakes);

/** Safety: see {@link taints.exclusive}. */
export const exclusive = about(
  'a node that had one NoExecute taint, and then the other',
  (history) =>
    viewOf(history).nodesByUid.all.some(
      ({ versions }) =>
        new Set(versions.flatMap(({ object }) => (object ? executeKeys(object) : []))).size > 1,
    ),
  taints.exclusive,
);

/** Safety: see {@link ofPods.marksJustified}. */
export const marksJustified = about(
  'a pod that the controller marked as not ready',
  marksPods,
  ofPods.marksJustified,
);

/** Safety: see {@link ofPods.touchesLittle}. */
export const touchesLittle = about(
  'a pod that the controller marked as not ready',
  marksPods,
  ofPods.touchesLittle,
);

/** Safety: see {@link ofPods.tolerant}. */
export const tolerant = about('a pod that was evicted', evicts, ofPods.tolerant);

/** Safety: see {@link ofPods.respectsUid}. */
export const respectsUid = about(
  'a pod that was evicted, and another pod of its name',
  (history) => ofPods.reusedNames(history).size > 0 && evicts(history),
  ofPods.respectsUid,
);

/** Safety: see {@link ofPods.explains}. */
export const explains = about('a pod that was evicted', evicts, ofPods.explains);

/** Liveness: see {@link owed.verdictInTime}. */
export const verdictInTime = about('a node that became Unknown', judges, owed.verdictInTime);

/** Liveness: the `NoSchedule` taints follow the state of a node. */
export const taintsFollow = about('a Node that the controller wrote', writesNodes, owed.inTime('taints'));

/** Liveness: each node that is not ready gets its `NoExecute` taint in its turn, and loses it when it is ready. */
export const executesInTime = about('a node that got a NoExecute taint', executes, owed.inTime('executes'));

/** Liveness: the pods of a silent node are not ready. */
export const marksInTime = about(
  'a pod that the controller marked as not ready',
  marksPods,
  owed.inTime('marks'),
);

/** Liveness: a pod leaves in time. */
export const evictsInTime = about('a pod that was evicted', evicts, owed.inTime('evictions'));

/** Liveness: see {@link owed.quiet}. */
export const quiet = about(
  'a run in which nothing is left to do',
  ({ restedMs }) => restedMs !== undefined,
  owed.quiet,
);

const collects = (history: NodeHistory): boolean => garbage.collectionsIn(history).length > 0;

/** Safety: see {@link garbage.proven}. */
export const collectsProven = about('a pod that the collector deleted', collects, garbage.proven);

/** Safety: see {@link garbage.tells}. */
export const collectsExplained = about('a pod that the collector deleted', collects, garbage.tells);

/** Safety: see {@link garbage.respectsUid}. */
export const collectsByUid = about(
  'a pod that the collector deleted, and another pod of its name',
  (history) => ofPods.reusedNames(history).size > 0 && collects(history),
  garbage.respectsUid,
);

/** Liveness: pods without a kubelet go. */
export const collectsInTime = about('a pod that the collector deleted', collects, owed.inTime('garbage'));
