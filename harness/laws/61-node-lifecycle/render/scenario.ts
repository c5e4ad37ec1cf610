import type * as core from '#api/core/v1';
import { sayFault } from '../../../faults/index.ts';
import { sayCircumstances, sayHealing, saySteps } from '../../../testing/telling.ts';
import type { AskedPod, Moment, OfNode, Operation, Step } from '../operations.ts';
import { type AskedNode, type NodeScenario, nodeName, podName } from '../scenario.ts';

/** Describes a scenario, with one line per step. */
export function describeScenario(scenario: NodeScenario): readonly string[] {
  const { nodes, present, steps, renewMs } = scenario;
  return [
    ...sayCircumstances(scenario),
    ...sayNodes(nodes),
    `kubelets renew their leases every ${renewMs / 1_000} s`,
    ...present.map((pod) => `before the controllers start: ${sayPod(pod)}`),
    ...saySteps(steps, sayStep, BEFORE_START_MS),
    ...sayHealing([{ afterMs: BEFORE_START_MS }, ...steps]),
  ];
}

/** The controllers start after this time. */
const BEFORE_START_MS = 2_000;

/** More nodes than this do not fit on a screen. */
const NAMED_NODES_MAX = 8;

function sayNodes(nodes: readonly AskedNode[]): readonly string[] {
  if (nodes.length <= NAMED_NODES_MAX) return nodes.map((node, i) => `${nodeName(i)} is ${sayNode(node)}`);
  const zones = new Map<string, number>();
  for (const { zone } of nodes) zones.set(zone, (zones.get(zone) ?? 0) + 1);
  return [...zones].map(([zone, count]) => `${count} nodes are in zone ${zone}`);
}

function sayNode({ zone, skewMs = 0, isExcluded, isMute, hasNoLease }: AskedNode): string {
  return [
    `in zone ${zone}`,
    ...(skewMs === 0 ? [] : [`its clock is ${Math.abs(skewMs / 1_000)} s ${skewMs > 0 ? 'fast' : 'slow'}`]),
    ...(isExcluded ? ['it does not count for its zone'] : []),
    ...(isMute ? ['its kubelet never starts'] : []),
    ...(hasNoLease ? ['its kubelet writes its status instead of a lease'] : []),
  ].join(', ');
}

function sayPod({ pod, namespace, node, tolerations, isHeld, ended, graceSeconds }: AskedPod): string {
  const on = node === 'none' ? 'without a node' : `on ${nodeName(node)}`;
  const held = isHeld ? ', held by a finalizer' : '';
  const phase = ended === undefined ? '' : `, ${ended}`;
  const grace = graceSeconds === undefined ? '' : `, with a grace period of ${graceSeconds} s`;
  const name = namespace === undefined ? podName(pod) : `${namespace}/${podName(pod)}`;
  return `create ${name} ${on}${phase}${held}${grace}, ${sayTolerations(tolerations)}`;
}

function sayTolerations(tolerations: readonly core.Toleration[]): string {
  if (tolerations.length === 0) return 'with the default tolerations';
  return `which tolerates ${tolerations.map(sayToleration).join(', ')}`;
}

function sayToleration({ key = 'every key', value, effect, tolerationSeconds }: core.Toleration): string {
  const name = `${key}${value === undefined ? '' : `=${value}`}${effect === undefined ? '' : `:${effect}`}`;
  return tolerationSeconds === undefined ? name : `${name} for ${tolerationSeconds} s`;
}

function sayStep(step: Step): string | undefined {
  return 'strike' in step ? sayFault(step.strike) : sayOperation(step);
}

function sayOperation(operation: Operation): string | undefined {
  if (operation.do === 'wait') return undefined;
  if ('node' in operation && !('pod' in operation))
    return sayNodeOperation(operation, nodeName(operation.node));
  switch (operation.do) {
    case 'create-pod':
      return sayPod(operation);
    case 'replace-pod':
      return `delete ${podName(operation.pod)} by force, and ${sayPod(operation)}`;
    case 'tolerate':
      return `${podName(operation.pod)} now tolerates ${operation.tolerations.map(sayToleration).join(', ')}`;
    case 'delete-pod':
      return `delete ${podName(operation.pod)}`;
    case 'release-pod':
      return `remove the finalizer of ${podName(operation.pod)}`;
    case 'each':
      return sayNodeOperation(operation.then, `each of ${sayRange(operation.nodes)}`);
    case 'contest':
      return `from now on a user annotates ${podName(operation.pod)} right before each write of its status`;
    case 'trap-node':
      return `right before a controller writes ${nodeName(operation.trapped)}: ${sayOperation(operation.then)}`;
    case 'trap':
      return `${sayMoment(operation.when, podName(operation.pod))}: ${sayOperation(operation.then)}`;
    default:
      return undefined;
  }
}

function sayMoment(when: Moment, pod: string): string {
  return when === 'decided'
    ? `right before the next request of a controller for ${pod}`
    : `as soon as a controller has ${when} ${pod}`;
}

/** `node-1 to node-29` */
function sayRange(nodes: readonly number[]): string {
  return `${nodeName(nodes[0] ?? 0)} to ${nodeName(nodes.at(-1) ?? 0)}`;
}

function sayNodeOperation(operation: OfNode, name: string): string {
  switch (operation.do) {
    case 'die':
      return `the machine of ${name} stops`;
    case 'return':
      return `the machine of ${name} runs again`;
    case 'clock':
      return `the clock of ${name} moves by ${operation.byMs / 1_000} s`;
    case 'report': {
      const { isReady, pressures } = operation;
      const under = pressures.length > 0 ? `, and ${pressures.join(', ')}` : '';
      return `the kubelet of ${name} reports Ready ${isReady ? 'True' : 'False'}${under}`;
    }
    case 'routes':
      return `the cloud reports that ${name} has ${operation.areThere ? 'its' : 'no'} routes`;
    case 'cordon':
      return `${operation.isCordoned ? 'cordon' : 'uncordon'} ${name}`;
    case 'taint':
      return `a user taints ${name} with ${operation.taint.key}:${operation.taint.effect}`;
    case 'untaint':
      return `a user removes the taint ${operation.key}${operation.effect ? `:${operation.effect}` : ''} from ${name}`;
    case 'label':
      return `a user labels ${name} with mark=${operation.value}`;
    case 'judge':
      return `the node controller sets Ready of ${name} to Unknown`;
    case 'delete-node':
      return `delete the Node ${name}`;
    case 'create-node':
      return `create the Node ${name}`;
  }
}
