import { sayCircumstances, saySteps } from '../../testing/telling.ts';
import { otherName } from './environment/others.ts';
import { SPOILS } from './environment/spoil.ts';
import type { CallFault, NodePlan, OtherNode, PodNetworkScenario, PodPlan, Step } from './scenario/index.ts';

const SAY_OTHER: Readonly<Record<OtherNode, string>> = {
  plain: 'a plain one',
  cordoned: 'cordoned',
  leaving: 'being deleted',
  'claims the same': 'with the podCIDR of node-1',
  'where another route is': 'another program has a route to its podCIDR',
  'out of reach': 'on another network',
};

/** Describes a scenario, one line per step. */
export function describeScenario(scenario: PodNetworkScenario): readonly string[] {
  if (scenario.experiment !== undefined) return [`the plugin alone: ${scenario.experiment}`];
  const { network, nodes, others, pods, steps, faults, seed, schedule } = scenario;
  return [
    ...(network === 'alone' ? describeAlone(scenario) : []),
    ...nodes.flatMap((plan, i) => describeNode(plan, i)),
    ...(others ?? []).map((other, i) => `${otherName(i)}, a node only in the API: ${SAY_OTHER[other]}`),
    ...pods.map((plan, i) => describePod(plan, i)),
    ...faults.map(describeFault),
    ...saySteps(steps, (step) => describeStep(step, pods)),
    ...sayCircumstances({ seed, schedule }),
  ];
}

function describeAlone({ alone: { bridge, gives } }: PodNetworkScenario): readonly string[] {
  const said = [
    ...(bridge === 'cni0' ? [] : [`its bridge is ${bridge}`]),
    ...(gives === 'a gateway' ? [] : [`its address manager returns ${gives}`]),
  ];
  return [['one node without an agent, with ipMasq', ...said].join('; ')];
}

function describeNode({ bridge, podCIDRAfterMs }: NodePlan, i: number): readonly string[] {
  const said = [
    ...(bridge === 'none' ? [] : [`has a bridge, ${bridge}`]),
    ...(podCIDRAfterMs === 0 ? [] : [`gets its podCIDR after ${podCIDRAfterMs} ms`]),
  ];
  return [`node-${i + 1}${said.length > 0 ? `: ${said.join('; ')}` : ''}`];
}

function describePod({ node, hostPort, afterFailure }: PodPlan, i: number): string {
  const port = hostPort === undefined ? '' : `, hostPort ${hostPort}`;
  const then = {
    same: ', a failed ADD is repeated',
    fresh: '',
    forgets: ', a failed ADD is forgotten',
  }[afterFailure];
  return `web-${i} on node-${node + 1}${port}${then}`;
}

function describeFault({ atMs, node, of, skip, how, performed }: CallFault): string {
  const who = of === 'agent' ? `the agent of node-${node + 1}` : `an ${of} on node-${node + 1}`;
  const what = how === 'dies' ? `${who} crashes` : `a call of ${who} fails`;
  return `from ${atMs} ms on, at call ${skip + 1}: ${what}, ${performed ? 'after' : 'before'} the call takes effect`;
}

function describeStep(step: Step, pods: readonly PodPlan[]): string | undefined {
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
      return `after a sync of the agent of ${node}, a user removes its routes, rules and configuration`;
    case 'overtake':
      return `${otherName(step.other)} leaves, and a user deletes the route to it just before the agent of ${node} does`;
    case 'crash agent':
      return `the agent of ${node} crashes, and restarts ${step.forMs} ms later`;
    case 'cut watches':
      return `the watches of the agent of ${node} end`;
    case 'lose route':
      return `a user deletes a route of ${node}`;
    case 'lose rules':
      return `a user flushes the agent's rules on ${node}`;
    case 'foreign route':
      return `a user adds another route to ${node}`;
    case 'join':
      return step.reachable
        ? `${node} joins${step.keeps === 'nothing' ? '' : `, with the ${step.keeps} of its predecessor`}`
        : `${node} joins, on another network`;
    default:
      return `${node} ${step.do}s`;
  }
}
