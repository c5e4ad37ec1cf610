import { sayCircumstances, saySteps } from '../../testing/telling.ts';
import { otherName } from './others.ts';
import type { CallFault, NodePlan, PodNetworkScenario, PodPlan, Step } from './scenario.ts';
import { SPOILS } from './spoil.ts';

/** A scenario in words, a line a step: what a red tells of the smallest life that breaks a law. */
export function describeScenario(scenario: PodNetworkScenario): readonly string[] {
  if (scenario.experiment !== undefined) return [`the plugin by itself: ${scenario.experiment}`];
  const { network, nodes, others, pods, steps, faults, seed, schedule } = scenario;
  return [
    ...(network === 'alone' ? sayAlone(scenario) : []),
    ...nodes.flatMap((plan, i) => sayNode(plan, i)),
    ...(others ?? []).map((other, i) => `${otherName(i)}, which the API alone has: ${other}`),
    ...pods.map((plan, i) => sayPod(plan, i)),
    ...faults.map(sayFault),
    ...saySteps(steps, (step) => sayStep(step, pods)),
    ...sayCircumstances({ seed, schedule }),
  ];
}

function sayAlone({ alone: { bridge, gives } }: PodNetworkScenario): readonly string[] {
  const said = [
    ...(bridge === 'cni0' ? [] : [`its bridge is ${bridge}`]),
    ...(gives === 'a gateway' ? [] : [`its address manager gives ${gives}`]),
  ];
  return [['one node without an agent: the plugin masquerades', ...said].join('; ')];
}

function sayNode({ bridge, podCIDRAfterMs }: NodePlan, i: number): readonly string[] {
  const said = [
    ...(bridge === 'none' ? [] : [`there is a bridge, ${bridge}`]),
    ...(podCIDRAfterMs === 0 ? [] : [`its podCIDR is known after ${podCIDRAfterMs} ms`]),
  ];
  return [`node-${i + 1}${said.length > 0 ? `: ${said.join('; ')}` : ''}`];
}

function sayPod({ node, hostPort, afterFailure }: PodPlan, i: number): string {
  const port = hostPort === undefined ? '' : `, port ${hostPort} of the node`;
  const then = {
    same: ', an ADD that fails is tried again as it is',
    fresh: '',
    forgets: ', an ADD that fails is forgotten',
  }[afterFailure];
  return `web-${i} on node-${node + 1}${port}${then}`;
}

function sayFault({ atMs, node, of, skip, how, performed }: CallFault): string {
  const who = of === 'agent' ? `the agent of node-${node + 1}` : `an ${of} on node-${node + 1}`;
  const what = how === 'dies' ? `${who} dies` : `a call of ${who} fails`;
  return `from ${atMs} ms on, at call ${skip + 1}: ${what}, ${performed ? 'after' : 'before'} that was done`;
}

function sayStep(step: Step, pods: readonly PodPlan[]): string | undefined {
  if ('pod' in step) {
    if (!pods[step.pod]) return undefined;
    const pod = `web-${step.pod}`;
    if (step.do === 'stop') {
      const netns = {
        there: '',
        gone: ', its namespace is gone',
        'not told': ', its namespace is gone and CNI_NETNS is empty',
      };
      return `stop ${pod}${netns[step.netns]}${step.again ? ', DEL twice' : ''}`;
    }
    if (step.do === 'spoil') return `a user ${SPOILS[step.what]} ${pod}, then CHECK`;
    return `${step.do} ${pod}`;
  }
  const node = `node-${step.node + 1}`;
  switch (step.do) {
    case 'gc':
      return `GC on ${node}`;
    case 'lose all':
      return `after a look of the agent, a user removes all that it has made on ${node}`;
    case 'overtake':
      return `${otherName(step.other)} leaves, and a user deletes the route to it just before the agent of ${node} does`;
    case 'crash agent':
      return `the agent of ${node} dies, and starts again ${step.forMs} ms later`;
    case 'cut watches':
      return `the watches of the agent of ${node} break off`;
    case 'lose route':
      return `a user deletes a route of ${node}`;
    case 'lose rules':
      return `a user flushes the agent's rules on ${node}`;
    case 'foreign route':
      return `a user adds a route of their own to ${node}`;
    case 'join':
      return step.reachable
        ? `${node} joins${step.keeps === 'nothing' ? '' : `, with the ${step.keeps} of the one before it`}`
        : `${node} joins, on another network`;
    default:
      return `${node} ${step.do}s`;
  }
}
