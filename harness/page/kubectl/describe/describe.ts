import type {
  ConfigMap,
  Deployment,
  EndpointSlice,
  KubeObject,
  Namespace,
  Node,
  Pod,
  ReplicaSet,
  Service,
} from '../../../api/objects.ts';
import {
  configMaps,
  deployments,
  endpointSlices,
  namespaces,
  nodes,
  pods,
  type Resource,
  replicaSets,
  services,
} from '../../../api/resource.ts';
import type { Client } from '../../../contracts/client.ts';
import type { Call, Command } from '../command.ts';
import { message } from '../errors.ts';
import { KubectlError } from '../kubectl-error.ts';
import { tabbed } from '../tab-writer.ts';
import { references, SELECTING, select, type Target } from '../targets.ts';
import { eventLines, eventsAbout } from './events.ts';
import { configMapLines, genericLines, namespaceLines } from './generic.ts';
import { nodeLines } from './node.ts';
import { podLines } from './pod.ts';
import { endpointSliceLines, serviceLines } from './service.ts';
import type { Lines } from './text.ts';
import { deploymentLines, replicaSetLines } from './workloads.ts';

type Describer = (client: Client, object: KubeObject, nowMs: number) => Lines | Promise<Lines>;

const describers: ReadonlyMap<Resource, Describer> = new Map<Resource, Describer>([
  [pods, (_, object, nowMs) => podLines(object as Pod, nowMs)],
  [deployments, (client, object) => deploymentLines(client, object as Deployment)],
  [replicaSets, (client, object) => replicaSetLines(client, object as ReplicaSet)],
  [nodes, (client, object, nowMs) => nodeLines(client, object as Node, nowMs)],
  [services, (client, object) => serviceLines(client, object as Service)],
  [endpointSlices, (_, object) => endpointSliceLines(object as EndpointSlice)],
  [configMaps, (_, object) => configMapLines(object as ConfigMap)],
  [namespaces, (_, object) => namespaceLines(object as Namespace)],
]);

/** Kinds whose description has no Events. */
const WITHOUT_EVENTS: readonly Resource[] = [namespaces];

/**
 * Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/describe/describe.go DescribeOptions.Run
 *
 * Differs: StatefulSets, DaemonSets, Jobs, CronJobs and claims are described by their fields, as upstream describes
 * custom resources.
 */
export const describe: Command = {
  name: 'describe',
  usage: '(TYPE [NAME] | TYPE/NAME | TYPE -l LABELS | -f FILE)',
  summary: 'Prints an object with its state and its Events',
  reads: true,
  flags: { ...SELECTING, 'show-events': { type: 'switch', help: 'the Events at the end (true)' } },
  run: async (call) => {
    const { targets, errors } = await find(call);
    let code = 0;
    let isFirst = true;
    for (const target of targets) {
      call.io.out(`${isFirst ? '' : '\n\n'}${await described(call, target)}`);
      isFirst = false;
    }
    if (targets.length === 0 && errors.length === 0) {
      call.io.err(
        call.flags.isOn('all-namespaces')
          ? 'No resources found\n'
          : `No resources found in ${call.namespace} namespace.\n`,
      );
    }
    for (const error of errors) {
      call.io.err(`${message(error)}\n`);
      code = 1;
    }
    return code;
  },
};

interface FoundTargets {
  readonly targets: readonly Target[];
  readonly errors: readonly unknown[];
}

/** A name that no object has can be the beginning of names. */
async function find(call: Call): Promise<FoundTargets> {
  const flat = ({ targets, errors }: Awaited<ReturnType<typeof select>>): FoundTargets => ({
    targets: targets.flatMap(({ resource, objects }) => objects.map((object) => ({ resource, object }))),
    errors,
  });
  if (call.args.length === 0 && !call.flags.has('filename')) {
    throw new KubectlError('You must specify the type of resource to describe: pods, deploy/web, …');
  }
  const found = flat(await select(call, { wholeKinds: true }));
  const [kind = '', prefix] = call.args;
  if (found.errors.length === 0 || prefix === undefined || kind.includes('/') || call.args.length > 2)
    return found;
  const asked = references(call, { args: [kind], wholeKinds: true });
  if ('named' in asked) return found;
  const all = flat(await select(call, { args: [kind], wholeKinds: true }));
  const begun = all.targets.filter(({ object }) => object.metadata.name.startsWith(prefix));
  return begun.length > 0 ? { targets: begun, errors: [] } : found;
}

async function described(call: Call, { resource, object }: Target): Promise<string> {
  const nowMs = call.nowMs;
  const lines = await (describers.get(resource)?.(call.client, object, nowMs) ?? genericLines(object));
  const hasEvents = call.flags.isOn('show-events', true) && !WITHOUT_EVENTS.includes(resource);
  const events = hasEvents ? eventLines(await eventsAbout(call.client, object), nowMs) : [];
  return tabbed(`${[...lines, ...events].join('\n')}\n`);
}
