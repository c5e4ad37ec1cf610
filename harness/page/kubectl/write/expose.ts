import type { ServicePort } from '#api/core/v1';
import type { KubeObject, New } from '../../../api/objects.ts';
import { services } from '../../../api/resource.ts';
import type { Call, Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING, selectAll, type Target } from '../targets.ts';
import { createOne } from './create.ts';
import { podSpecOf } from './pod-templates.ts';
import { WRITING } from './report.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/expose/expose.go ExposeServiceOptions.RunExpose */
export const expose: Command = {
  name: 'expose',
  usage: '(TYPE NAME | TYPE/NAME) [--port=P] [--target-port=P] [--name=NAME] [--type=TYPE]',
  summary: 'Creates a Service for the pods of a workload, of a pod or of a Service',
  reads: false,
  flags: {
    ...SELECTING,
    ...WRITING,
    port: { type: 'text', help: 'the port of the Service' },
    'target-port': { type: 'text', help: 'the port of the container, a number or a name' },
    name: { type: 'text', help: 'the name of the Service' },
    type: { type: 'text', help: 'ClusterIP, NodePort, LoadBalancer or ExternalName' },
    protocol: { type: 'text', help: 'TCP, UDP or SCTP' },
    'cluster-ip': { type: 'text', help: 'an address, or None' },
  },
  run: async (call) => {
    for (const target of await selectAll(call)) {
      const { metadata } = target.object;
      const type = call.flags.text('type');
      const clusterIP = call.flags.text('cluster-ip');
      const labels = metadata.labels ?? {};
      await createOne(
        call,
        services,
        {
          metadata: {
            name: call.flags.text('name') ?? metadata.name,
            ...(Object.keys(labels).length > 0 ? { labels } : {}),
            ...(call.flags.has('namespace') ? { namespace: call.namespace } : {}),
          },
          spec: {
            ...(clusterIP === undefined ? {} : { clusterIP }),
            ports: portsFor(call, target),
            selector: selectorOf(target),
            ...(type === undefined ? {} : { type }),
          },
          status: { loadBalancer: {} },
        } as New<KubeObject>,
        { verb: 'exposed', manager: 'expose' },
      );
    }
  },
};

function selectorOf({ resource, object }: Target): Readonly<Record<string, string>> {
  const { spec = {} } = object as KubeObject & { readonly spec?: { readonly selector?: unknown } };
  const selector = spec.selector as Readonly<Record<string, unknown>> | undefined;
  const found =
    resource.kind === 'Pod'
      ? object.metadata.labels
      : ((selector?.matchLabels ?? (selector?.matchExpressions ? undefined : selector)) as
          | Readonly<Record<string, string>>
          | undefined);
  if (found && Object.keys(found).length > 0) return found;
  throw new KubectlError(
    resource.kind === 'Pod'
      ? "couldn't retrieve selectors via --selector flag or introspection: the pod has no labels and cannot be exposed"
      : `cannot expose a ${resource.kind}`,
  );
}

/** Several ports get names; upstream calls them `port-1`, `port-2`. */
function portsFor(call: Call, { resource, object }: Target): readonly ServicePort[] {
  const declared = (podSpecOf(resource, object)?.containers ?? []).flatMap(({ ports = [] }) => ports);
  const own =
    resource === services ? (object as KubeObject & { spec: { ports?: ServicePort[] } }).spec.ports : [];
  const known = own?.length
    ? own.map(({ port }) => String(port))
    : declared.map(({ containerPort }) => String(containerPort));
  const asked = call.flags.text('port')?.split(',') ?? known;
  const target = call.flags.text('target-port');
  if (asked.length === 0 && call.flags.text('cluster-ip') !== 'None') {
    throw new KubectlError("couldn't find port via --port flag or introspection");
  }
  return asked.map((port, at) => ({
    ...(asked.length > 1 ? { name: `port-${at + 1}` } : {}),
    port: Number(port),
    protocol:
      call.flags.text('protocol') ??
      declared.find(({ containerPort }) => String(containerPort) === port)?.protocol ??
      'TCP',
    targetPort: target === undefined ? Number(port) : /^\d+$/.test(target) ? Number(target) : target,
  }));
}
