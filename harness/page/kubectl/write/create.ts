import type { KubeObject, New } from '../../../api/objects.ts';
import { configMaps, deployments, groupVersion, namespaces, type Resource } from '../../../api/resource.ts';
import type { Call, Command } from '../command.ts';
import { message, withSource } from '../errors.ts';
import { KubectlError } from '../kubectl-error.ts';
import { manifestOf } from '../manifests.ts';
import { SELECTING } from '../targets.ts';
import { dryRunOf, report, WRITING, writeOptions } from './report.ts';

/** The kinds of the commands that create one object. */
const KINDS =
  'deployment, job, cronjob, namespace, configmap, serviceaccount, token, role, rolebinding, clusterrole and clusterrolebinding';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create.go CreateOptions.RunCreate */
export const create: Command = {
  name: 'create',
  usage: '-f FILE',
  summary: 'Creates the objects of a manifest; create deployment and others create one object',
  reads: false,
  flags: { ...WRITING, filename: SELECTING.filename },
  run: async (call) => {
    const files = call.flags.list('filename');
    const [kind] = call.args;
    if (kind !== undefined) {
      throw new KubectlError(`kubectl create takes ${KINDS} here, or -f with a manifest, not "${kind}"`);
    }
    if (files.length === 0) throw new KubectlError('must specify one of -f and -k: -f - is the editor');
    const errors: unknown[] = [];
    for (const file of files) {
      for (const { resource, object } of manifestOf(call, file)) {
        const creating = createOne(call, resource, object as unknown as New<KubeObject>);
        await creating.catch((error: unknown) => errors.push(withSource(error, 'creating', file)));
      }
    }
    for (const error of errors) call.io.err(`${message(error)}\n`);
    return errors.length > 0 ? 1 : 0;
  },
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_deployment.go CreateDeploymentOptions.createDeployment */
export const createDeployment: Command = {
  name: 'create deployment',
  aliases: ['create deploy'],
  usage: 'NAME --image=IMAGE [--replicas=N] [--port=P] [-- COMMAND ARGS…]',
  summary: 'Creates a Deployment',
  reads: false,
  flags: {
    ...WRITING,
    image: { type: 'list', help: 'the image of each container' },
    replicas: { short: 'r', type: 'number', help: 'the number of pods (1)' },
    port: { type: 'number', help: 'a port of the container' },
  },
  run: async (call) => {
    const name = nameOf(call);
    const images = call.flags.list('image');
    if (images.length === 0) throw new KubectlError('required flag(s) "image" not set');
    if (images.length > 1 && call.rest.length > 0) {
      throw new KubectlError('cannot specify multiple --image options and command');
    }
    const port = call.flags.number('port');
    const labels = { app: name };
    const containers = images.map((image, at) => ({
      image,
      name: containerName(image),
      ...(at === 0 && port !== undefined ? { ports: [{ containerPort: port }] } : {}),
      ...(call.rest.length > 0 ? { command: [...call.rest] } : {}),
      resources: {},
    }));
    await createOne(call, deployments, {
      metadata: { name, labels, ...place(call) },
      spec: {
        replicas: call.flags.number('replicas') ?? 1,
        selector: { matchLabels: labels },
        strategy: {},
        template: { metadata: { labels }, spec: { containers } },
      },
      status: {},
    } as New<KubeObject>);
  },
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_namespace.go */
export const createNamespace: Command = {
  name: 'create namespace',
  aliases: ['create ns'],
  usage: 'NAME',
  summary: 'Creates a Namespace',
  reads: false,
  flags: WRITING,
  run: (call) =>
    createOne(call, namespaces, {
      metadata: { name: nameOf(call) },
      spec: {},
      status: {},
    } as New<KubeObject>),
};

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/create/create_configmap.go */
export const createConfigMap: Command = {
  name: 'create configmap',
  aliases: ['create cm'],
  usage: 'NAME [--from-literal=KEY=VALUE]… [--from-file=FILE]…',
  summary: 'Creates a ConfigMap',
  reads: false,
  flags: {
    ...WRITING,
    'from-literal': { type: 'list', help: 'a key and its value' },
    'from-file': { type: 'list', help: 'a file of the page, or KEY=FILE' },
  },
  run: async (call) => {
    const literals = call.flags.list('from-literal').map((text): [string, string] => {
      const at = text.indexOf('=');
      if (at < 1) throw new KubectlError(`invalid literal source ${text}, expected key=value`);
      return [text.slice(0, at), text.slice(at + 1)];
    });
    const files = call.flags.list('from-file').map((text): [string, string] => {
      const at = text.indexOf('=');
      const file = text.slice(at + 1);
      const content = call.io.files[file];
      if (content === undefined) throw new KubectlError(`error reading ${file}: no such file or directory`);
      return [at < 0 ? (file.split('/').at(-1) ?? file) : text.slice(0, at), content];
    });
    const data = Object.fromEntries([...literals, ...files]);
    const hasData = Object.keys(data).length > 0;
    await createOne(call, configMaps, {
      metadata: { name: nameOf(call), ...place(call) },
      ...(hasData ? { data } : {}),
    } as New<KubeObject>);
  },
};

/** Creates an object and reports it. With `--dry-run=client` it sends nothing. */
export async function createOne(
  call: Call,
  resource: Resource,
  sent: New<KubeObject>,
  { verb = 'created', manager = 'create' } = {},
): Promise<void> {
  const { metadata } = sent;
  const named = { apiVersion: groupVersion(resource), kind: resource.kind, ...sent };
  if (dryRunOf(call) === 'client') {
    report(call, resource, named as KubeObject, verb);
    return;
  }
  const { status: _, ...object } = named as { status?: unknown } & typeof named;
  const namespace = metadata.namespace ?? call.namespace;
  const placed = resource.namespaced ? { ...object, metadata: { ...metadata, namespace } } : object;
  const stored = await call.client.create(resource, placed as New<KubeObject>, writeOptions(call, manager));
  report(call, resource, stored, verb);
}

/** Returns the only argument, a name. @throws KubectlError */
export function nameOf({ args }: Pick<Call, 'args'>): string {
  const [name, more] = args;
  if (name !== undefined && more === undefined) return name;
  throw new KubectlError(`exactly one NAME is required, got ${args.length}`);
}

/** The namespace stands in an object only if the line names it. */
export function place({ flags }: Pick<Call, 'flags'>): { namespace?: string } {
  const namespace = flags.text('namespace');
  return namespace === undefined ? {} : { namespace };
}

/**
 * Returns the name of a container: the last part of its image.
 *
 * Differs: upstream adds a random suffix when the name has a dot or an underscore.
 */
function containerName(image: string): string {
  const [name = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/);
  return name.replace(/[_.]/g, '-');
}
