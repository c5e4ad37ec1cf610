import { describe, expect, test } from 'vitest';
import { cri, FileError, type FileSystem, type ImageManagerOptions, type ImageRequest } from '#harness';
import { Simulation } from '#harness/testing';
import { newImageManager } from './images.ts';

describe('The reference', () => {
  test('pulls what is not there, tells of it, and uses what is there', async () => {
    const sim = new Simulation();
    const told: string[] = [];
    const images = registry();
    const manager = newImageManager(optionsFor(sim, images, told));
    const ref = await sim.settle(manager.ensureImageExists(requestFor('nginx:1.27')));
    expect(ref).toBe('sha256:docker.io/library/nginx:1.27');
    await sim.settle(manager.ensureImageExists(requestFor('nginx:1.27')));
    expect(told).toEqual([
      'Normal Pulling Pulling image "nginx:1.27"',
      'Normal Pulled Successfully pulled image "nginx:1.27" in 1s (1s including waiting). Image size: 1000 bytes.',
      'Normal Pulled Container image "nginx:1.27" already present on machine and can be accessed by the pod',
    ]);
  });

  test('waits after a failure, and says why', async () => {
    const sim = new Simulation();
    const told: string[] = [];
    const manager = newImageManager(optionsFor(sim, registry(), told));
    const pull = () => sim.settle(manager.ensureImageExists(requestFor('missing:1'))).catch((error) => error);
    expect(await pull()).toMatchObject({ reason: 'ErrImagePull' });
    expect(await pull()).toMatchObject({
      reason: 'ImagePullBackOff',
      message:
        'Back-off pulling image "missing:1": ErrImagePull: rpc error: code = NotFound desc = not found',
    });
    await sim.run({ forMs: 10_000 });
    expect(await pull()).toMatchObject({ reason: 'ErrImagePull' });
    await sim.run({ forMs: 19_999 });
    expect(await pull()).toMatchObject({ reason: 'ImagePullBackOff' });
  });
});

function registry() {
  const present: string[] = [];
  const name = (image: string) => (image.includes('/') ? image : `docker.io/library/${image}`);
  return (sim: Simulation): cri.ImageService => ({
    listImages: async () => [],
    imageStatus: async ({ image }) =>
      present.includes(name(image))
        ? {
            id: `sha256:${name(image)}`,
            repoTags: [name(image)],
            repoDigests: [],
            sizeBytes: 1_000,
            pinned: false,
          }
        : undefined,
    pullImage: async ({ image }) => {
      await sim.clock.sleep(1_000);
      if (image.startsWith('missing')) throw new cri.CriError('NotFound', 'not found');
      present.push(name(image));
      return `sha256:${name(image)}`;
    },
    removeImage: async () => {},
    imageFsInfo: async () => ({ mountpoint: '/', capacityBytes: 1, availableBytes: 1, usedBytes: 0 }),
  });
}

function optionsFor(
  sim: Simulation,
  images: ReturnType<typeof registry>,
  told: string[],
): ImageManagerOptions {
  const files = new Map<string, string>();
  return {
    clock: sim.clock,
    recorder: { event: (_, type, reason, message) => void told.push(`${type} ${reason} ${message}`) },
    node: 'node-1',
    signal: new AbortController().signal,
    images: images(sim),
    runtime: { listContainers: async () => [] },
    files: {
      mkdirAll: async () => {},
      writeFile: async (path, text) => void files.set(path, text as string),
      rename: async (from, to) => void files.set(to, files.get(from) ?? ''),
      removeAll: async (path) => void files.delete(path),
      readdir: async (path) =>
        [...files.keys()].filter((file) => file.startsWith(path)).map((file) => file.slice(path.length + 1)),
      readFile: async (path) => {
        const text = files.get(path);
        if (text === undefined) throw new FileError('ENOENT', `open ${path}: no such file or directory`);
        return text;
      },
    } as Partial<FileSystem> as FileSystem,
  };
}

function requestFor(image: string): ImageRequest {
  return {
    pod: { metadata: { namespace: 'default', name: 'web', uid: 'u1' } } as ImageRequest['pod'],
    container: { name: 'web', image },
    reference: {},
    sandboxConfig: {} as cri.PodSandboxConfig,
    pullSecrets: [],
  };
}
