import { describe, expect, test } from 'vitest';
import { pods } from '../../../api/resource.ts';
import { key, refusal, world } from '../../verbs/replicas.fixture.ts';

const debug = (name: string, rest: object = {}) => ({ name, image: 'busybox', ...rest });

/** Creates a pod `web` with the given ephemeral containers. */
async function withPod(ephemeralContainers: readonly object[] = [], annotations?: Record<string, string>) {
  const { server } = await world();
  const spec = { nodeName: 'node-1', containers: [{ name: 'main', image: 'nginx' }] };
  await server.create(pods, { metadata: { ...key('web'), ...(annotations && { annotations }) }, spec });
  const add = async (list: readonly object[]) => {
    const pod = await server.get(pods, key('web'));
    return server.updateEphemeralContainers({
      ...pod,
      spec: { ...pod.spec, ephemeralContainers: list as never },
    });
  };
  if (ephemeralContainers.length > 0) await add(ephemeralContainers);
  return { server, add };
}

const FORBIDDEN = '422 Invalid: Pod "web" is invalid: spec.ephemeralContainers: Forbidden:';

describe('Ephemeral containers', () => {
  test('are added to an existing pod, with the defaults of other containers', async () => {
    const { add } = await withPod();
    const pod = await add([debug('debug', { targetContainerName: 'main' })]);
    expect(pod.spec.ephemeralContainers).toEqual([
      {
        name: 'debug',
        image: 'busybox',
        targetContainerName: 'main',
        imagePullPolicy: 'Always',
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ]);
    expect(pod.metadata.generation).toBe(2);
  });

  test('are the only part that their subresource changes', async () => {
    const { server } = await withPod();
    const pod = await server.get(pods, key('web'));
    const changed = await server.updateEphemeralContainers({
      ...pod,
      metadata: { ...pod.metadata, labels: { a: 'b' } },
      spec: { ...pod.spec, containers: [{ name: 'main', image: 'other' }] },
      status: { phase: 'Failed' },
    });
    expect(changed).toEqual(pod);
  });

  test('can be added by a patch', async () => {
    const { server } = await withPod([debug('a')]);
    const body = { spec: { ephemeralContainers: [debug('b')] } };
    const patched = await server.patch(
      pods,
      key('web'),
      { type: 'strategic', body },
      { subresource: 'ephemeralcontainers' },
    );
    expect(patched.spec.ephemeralContainers?.map(({ name }) => name).sort()).toEqual(['a', 'b']);
  });

  test('cannot change', async () => {
    const { add } = await withPod([debug('a')]);
    expect(await refusal(add([debug('b')]))).toBe(
      `${FORBIDDEN} existing ephemeral containers "a" may not be removed\n`,
    );
    expect(await refusal(add([debug('a', { image: 'other' })]))).toContain(
      `${FORBIDDEN} existing ephemeral containers "a" may not be changed\n`,
    );
    expect((await add([debug('b'), debug('a')])).spec.ephemeralContainers).toHaveLength(2);
  });

  test('cannot be added by an update of the pod', async () => {
    const { server } = await withPod();
    const pod = await server.get(pods, key('web'));
    const spec = { ...pod.spec, ephemeralContainers: [debug('a')] as never };
    expect(await refusal(server.update(pods, { ...pod, spec }))).toMatch(
      /spec: Forbidden: pod updates may not change fields other than/,
    );
  });

  test('reject ports and duplicate names', async () => {
    const { add } = await withPod();
    expect(await refusal(add([debug('main', { ports: [{ containerPort: 80 }] })]))).toMatch(
      /ephemeralContainers\[0\].name: Duplicate value: "main".*ports: Forbidden: cannot be set for an Ephemeral Container/,
    );
    expect(await refusal(add([debug('a', { targetContainerName: 'none' })]))).toMatch(
      /targetContainerName: Not found: "none"/,
    );
  });

  test('are rejected for static pods', async () => {
    const { add } = await withPod([], { 'kubernetes.io/config.mirror': 'x' });
    expect(await refusal(add([debug('a')]))).toBe(
      '422 Invalid: Pod "web" is invalid: []: Forbidden: static pods do not support ephemeral containers',
    );
  });
});
