import { keyOf } from '../../../api/objects.ts';
import type { Call, Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { SELECTING, selectAll, type Target } from '../targets.ts';
import { inPodSpec, podSpecOf } from './pod-templates.ts';
import { dryRunOf, report, WRITING, writeOptions } from './report.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/set/set_image.go SetImageOptions.Run */
export const setImage: Command = {
  name: 'set image',
  usage: '(TYPE NAME | TYPE/NAME | -f FILE) CONTAINER=IMAGE…',
  summary: 'Changes the image of containers; * means every container',
  reads: false,
  flags: {
    ...SELECTING,
    ...WRITING,
    all: { type: 'switch', help: 'all objects of the kind in the namespace' },
  },
  run: async (call) => {
    const pairs = call.args.filter((arg) => arg.includes('='));
    const args = call.args.filter((arg) => !arg.includes('='));
    if (args.length === 0 && !call.flags.has('filename')) {
      throw new KubectlError(
        'one or more resources must be specified as <resource> <name> or <resource>/<name>',
      );
    }
    if (pairs.length === 0) throw new KubectlError('at least one image update is required');
    const images = new Map(
      pairs.map((pair): [string, string] => {
        const [container = '', ...image] = pair.split('=');
        return [container, image.join('=')];
      }),
    );
    for (const target of await selectAll(call, { args })) await update(call, target, images);
  },
};

async function update(call: Call, target: Target, images: ReadonlyMap<string, string>): Promise<void> {
  const { resource, object } = target;
  const spec = podSpecOf(resource, object);
  if (!spec) throw new KubectlError(`${resource.plural} have no containers`);
  const { containers, initContainers = [] } = spec;
  const names = [...containers, ...initContainers].map(({ name }) => name);
  for (const name of images.keys()) {
    if (name !== '*' && !names.includes(name))
      throw new KubectlError(`unable to find container named "${name}"`);
  }
  const changed = (all: readonly { readonly name: string; readonly image?: string }[]) =>
    all.flatMap(({ name, image: before }) => {
      const image = images.get(name) ?? images.get('*');
      return image === undefined || image === before ? [] : [{ name, image }];
    });
  const [main, init] = [changed(containers), changed(initContainers)];
  if (main.length + init.length === 0) return;
  const body = inPodSpec(resource, {
    ...(main.length > 0 ? { containers: main } : {}),
    ...(init.length > 0 ? { initContainers: init } : {}),
  });
  const stored =
    dryRunOf(call) === 'client'
      ? object
      : await call.client.patch(
          resource,
          keyOf(object),
          { type: 'strategic', body },
          writeOptions(call, 'set'),
        );
  report(call, resource, stored, 'image updated');
}
