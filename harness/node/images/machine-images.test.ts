import { describe, expect, test } from 'vitest';
import { Disk } from '../files/index.ts';
import type { ImageProfileName } from './image-profile.ts';
import { machine, refusal } from './machine.fixture.ts';

const NGINX = 'docker.io/library/nginx';

describe('MachineImages', () => {
  test('list an image after its pull', async () => {
    const { images, pull, history } = machine();
    expect(await images.imageStatus({ image: 'nginx:1.27' })).toBeUndefined();
    const id = await pull('nginx:1.27');
    expect(await images.imageStatus({ image: 'nginx:1.27' })).toMatchObject({
      id,
      repoTags: [`${NGINX}:1.27`],
      repoDigests: [expect.stringMatching(/^docker\.io\/library\/nginx@sha256:[0-9a-f]{64}$/)],
      pinned: false,
    });
    expect(history).toEqual([`image-pulled ${NGINX}:1.27`]);
  });

  test('find an image by each name, digest or id', async () => {
    const { images, pull } = machine();
    const id = await pull('nginx:1.27');
    const [digest = ''] = images.resolve(id)?.repoDigests ?? [];
    const names = ['nginx:1.27', 'docker.io/nginx:1.27', 'index.docker.io/library/nginx:1.27', digest, id];
    expect(names.map((name) => images.resolve(name)?.id)).toEqual(names.map(() => id));
    expect(images.resolve(`nginx@${digest.split('@')[1]}`)?.id).toBe(id);
    expect(images.resolve('nginx')).toBeUndefined();
    expect(images.resolve('NGINX')).toBeUndefined();
  });

  test('parse the configuration of an image', async () => {
    const { images, pull } = machine();
    await pull('nginx');
    expect(images.resolve('nginx')).toMatchObject({
      config: {
        entrypoint: ['/docker-entrypoint.sh'],
        cmd: ['nginx', '-g', 'daemon off;'],
        env: { NGINX_VERSION: '1.29.1' },
        stopSignal: 'SIGQUIT',
      },
      executables: expect.arrayContaining(['nginx', 'sh']),
    });
  });

  test('take time for a pull in proportion to its size', async () => {
    const { sim, registry, pull } = machine();
    registry.at('registry-1.docker.io').bytesPerSecond = 1_000_000;
    await pull('alpine');
    expect(Math.round(sim.elapsedMs / 100)).toBe(36);
  });

  test('reject an invalid name', async () => {
    const { pull } = machine();
    expect(await refusal(pull('Nginx'))).toBe(
      'rpc error: code = InvalidArgument desc = failed to parse image reference "Nginx": ' +
        'invalid reference format: repository name (library/Nginx) must be lowercase',
    );
  });

  test('list the existing images', async () => {
    const { images, pull } = machine();
    const ids = [await pull('alpine'), await pull('nginx')];
    expect((await images.listImages()).map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(await images.listImages({ image: { image: 'alpine' } })).toHaveLength(1);
    expect(await images.listImages({ image: { image: 'redis' } })).toEqual([]);
  });

  test('treat two tags of the same image as one image', async () => {
    const { images, pull } = machine();
    expect(await pull('nginx:1.29')).toBe(await pull('nginx:latest'));
    expect(await images.imageStatus({ image: 'nginx' })).toMatchObject({
      repoTags: [`${NGINX}:1.29`, `${NGINX}:latest`],
    });
  });

  test('let a tag move to another image', async () => {
    const { images, registry, pull } = machine();
    const old = await pull('nginx');
    registry
      .at('registry-1.docker.io')
      .push('library/nginx', { config: { Cmd: ['new'] }, layers: [] }, 'latest');
    const young = await pull('nginx');
    expect(images.resolve('nginx')?.id).toBe(young);
    expect(images.resolve(old)).toMatchObject({ repoTags: [], repoDigests: [expect.any(String)] });
  });

  test('delete an image with all its tags', async () => {
    const { images, pull, history } = machine();
    const id = await pull('nginx:1.29');
    await pull('nginx:latest');
    await images.removeImage({ image: 'nginx:1.29' });
    expect([images.resolve('nginx'), images.resolve(id), await images.listImages()]).toEqual([
      undefined,
      undefined,
      [],
    ]);
    await images.removeImage({ image: 'nginx:1.29' });
    expect(history.at(-1)).toBe(`image-removed ${NGINX}:1.29`);
    expect(history).toHaveLength(3);
  });

  test('keep layers that another image needs', async () => {
    const { images, pull } = machine();
    await pull('nginx');
    await pull('redis');
    const both = await images.imageFsInfo();
    await images.removeImage({ image: 'redis' });
    const one = await images.imageFsInfo();
    // The removal frees its own layer and its small configuration.
    expect(Math.round((both.usedBytes - one.usedBytes) / 100_000)).toBe(240);
    await images.removeImage({ image: 'nginx' });
    expect((await images.imageFsInfo()).usedBytes).toBe(0);
  });

  test('share the disk with the files of the machine', async () => {
    const { images, disk, pull } = machine({ disk: new Disk({ capacityBytes: 10_000_000 }) });
    await pull('alpine');
    disk.reserve(1_000_000);
    const { usedBytes, availableBytes, capacityBytes } = await images.imageFsInfo();
    expect(usedBytes + availableBytes + 1_000_000).toBe(capacityBytes);
  });

  test('reject an image that does not fit on the disk', async () => {
    const { images, pull } = machine({ disk: new Disk({ capacityBytes: 40_000_000 }) });
    expect(await refusal(pull('nginx'))).toMatch(
      /^rpc error: code = Unknown desc = failed to pull and unpack image "docker.io\/library\/nginx:latest": .*: no space left on device$/,
    );
    expect(await images.listImages()).toEqual([]);
    expect(await refusal(pull('alpine'))).toBe('it was pulled');
  });

  test('pin the sandbox image', async () => {
    const { images, pull } = machine();
    await pull('registry.k8s.io/pause:3.10.2');
    expect(await images.imageStatus({ image: 'registry.k8s.io/pause:3.10.2' })).toMatchObject({
      pinned: true,
    });
  });

  test('contain images that were loaded without a registry', async () => {
    const { images } = machine();
    images.load('my/app:1', {
      config: { Cmd: ['app'] },
      layers: [{ sizeBytes: 1_000, executables: ['app'] }],
    });
    expect(images.resolve('docker.io/my/app:1')).toMatchObject({
      config: { cmd: ['app'] },
      executables: ['app'],
    });
  });

  test.each<[ImageProfileName, string, RegExp]>([
    ['containerd', `${NGINX}:1.27`, /^sha256:/],
    ['cri-o', `${NGINX}:1.27`, /^sha256:/],
    ['cri-dockerd', 'nginx:1.27', /^nginx@sha256:/],
  ])('of %s use its format for names and results', async (profile, tag, returned) => {
    const { images, pull } = machine({ profile });
    const ref = await pull('nginx:1.27');
    expect(ref).toMatch(returned);
    expect(images.resolve(ref)?.repoTags).toEqual([tag]);
  });
});

describe('An interrupted pull', () => {
  test('leaves no image', async () => {
    const { sim, images, history } = machine();
    const pull = refusal(images.pullImage({ image: 'nginx' }));
    await sim.run({ forMs: 300 });
    images.stop();
    expect(await sim.settle(pull)).toBe(
      'rpc error: code = Unavailable desc = error reading from server: EOF',
    );
    images.start();
    expect([await images.listImages(), history]).toEqual([[], []]);
  });

  test('continues at the next piece', async () => {
    const { sim, images, pull } = machine();
    const broken = refusal(images.pullImage({ image: 'nginx' }));
    // The first layer is complete after 282 ms.
    await sim.run({ forMs: 300 });
    images.stop();
    await sim.settle(broken);
    images.start();
    const fromMs = sim.elapsedMs;
    await pull('nginx');
    expect(sim.elapsedMs - fromMs).toBe(441);
  });

  test('leaves no content that stays forever', async () => {
    const { sim, images } = machine();
    const broken = refusal(images.pullImage({ image: 'nginx' }));
    await sim.run({ forMs: 300 });
    images.stop();
    await sim.settle(broken);
    images.start();
    expect(images.usedBytes).toBeGreaterThan(28_000_000);
    images.load('my/app:1', { config: {}, layers: [] });
    await images.removeImage({ image: 'my/app:1' });
    expect(images.usedBytes).toBe(0);
  });

  test('lets every call fail until the runtime runs again', async () => {
    const { images } = machine();
    images.stop();
    await expect(images.listImages()).rejects.toThrow(
      'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: ' +
        'dial unix /run/containerd/containerd.sock: connect: connection refused"',
    );
    images.start();
    expect(await images.listImages()).toEqual([]);
  });
});

describe('Concurrent pulls', () => {
  test('fetch shared content once', async () => {
    const { sim, registry, images } = machine();
    // An image has two manifests: its index and its own.
    registry.at('registry-1.docker.io').rateLimit = { pulls: 2, windowMs: 60_000 };
    const [first, second] = ['nginx', 'nginx'].map((image) => images.pullImage({ image }));
    expect(await sim.settle(first as Promise<string>)).toBe(await second);
  });

  test('keep their content during a removal', async () => {
    const { sim, images, pull } = machine();
    await pull('alpine');
    const under = images.pullImage({ image: 'nginx' });
    await sim.run({ forMs: 300 });
    await images.removeImage({ image: 'alpine' });
    await sim.settle(under);
    expect(images.usedBytes).toBeGreaterThan(72_000_000);
  });
});
