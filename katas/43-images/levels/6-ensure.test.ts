import { describe, expect, test } from 'vitest';
import { cri, ImageError } from '#harness';
import { Simulation } from '#harness/testing';
import { ensurerOver } from './ensure.fixture.ts';
import { entry, fakeImages, secretOf } from './images.fixture.ts';

describe('Level 6 · The image of a container', () => {
  test('uses a present image', async () => {
    const images = fakeImages({ present: ['web:1'] });
    const { ensure, told } = ensurerOver(images);
    expect(await ensure(), 'the image ID of the present image (whatToDo, Level 2)').toBe('id of web:1');
    expect(images.pulls, 'a present image with IfNotPresent must not be pulled').toEqual([]);
    expect(told, 'the event about a present image').toEqual([
      'Normal Pulled Container image "web:1" already present on machine and can be accessed by the pod',
    ]);
  });

  test('pulls a missing image, and reports its duration and size', async () => {
    const sim = new Simulation();
    const images = fakeImages({ onPull: () => sim.clock.sleep(1_500) });
    const { ensure, told } = ensurerOver(images, { sim });
    expect(await ensure(), 'the image ID that pullImage returned').toBe('id of web:1');
    expect(told, 'the events of a pull').toEqual([
      'Normal Pulling Pulling image "web:1"',
      'Normal Pulled Successfully pulled image "web:1" in 1.5s (1.5s including waiting). Image size: 1000 bytes.',
    ]);
  });

  test('reports the time that it waited for its turn', async () => {
    const sim = new Simulation();
    const images = fakeImages({ onPull: () => sim.clock.sleep(250) });
    const { ensure, told } = ensurerOver(images, {
      sim,
      puller: { run: (work) => sim.clock.sleep(60_000).then(work) },
    });
    await ensure();
    expect(
      told[1],
      'the event Pulled: the time of the pull, and the time including the wait for its turn',
    ).toContain('in 250ms (1m0.25s including waiting)');
  });

  test('pulls with Always, without a look at the present images', async () => {
    const images = fakeImages({ present: ['web:1'] });
    const { ensure } = ensurerOver(images);
    await ensure({ policy: 'Always' });
    expect(images.pulls, 'Always pulls, although the image is present').toEqual(['web:1 as anonymous']);
    const { ensure: failing } = ensurerOver(fakeImages({ statusError: new Error('no answer') }));
    expect(
      await failing({ policy: 'Always' }),
      'Always needs no imageStatus, so its failure must not matter',
    ).toBe('id of web:1');
  });

  test('pulls a name without a tag as latest, and reports it as written', async () => {
    const images = fakeImages();
    const { ensure, told } = ensurerOver(images);
    await ensure({ image: 'web' });
    expect(images.pulls, 'the image that is pulled: applyDefaultTag (Level 1)').toEqual([
      'web:latest as anonymous',
    ]);
    expect(told[0], 'events name the image as the pod wrote it').toBe('Normal Pulling Pulling image "web"');
  });

  test('refuses a missing image with Never', async () => {
    const images = fakeImages();
    const { ensure, told } = ensurerOver(images);
    const message = 'Container image "web:1" is not present with pull policy of Never';
    await expect(
      ensure({ policy: 'Never' }),
      'the image web:1 is missing, and the policy is Never',
    ).rejects.toMatchObject({ reason: 'ErrImageNeverPull', message });
    expect(told, 'the event about the refusal').toEqual([`Warning ErrImageNeverPull ${message}`]);
    expect(images.pulls, 'Never must not pull').toEqual([]);
  });

  test('refuses an invalid name without a call', async () => {
    const images = fakeImages();
    const { ensure, told } = ensurerOver(images);
    const start = 'Failed to apply default image tag "Web": couldn\'t parse image name "Web": invalid';
    await expect(ensure({ image: 'Web' }), '"Web" is not a valid image name').rejects.toMatchObject({
      reason: 'InvalidImageName',
      message: expect.stringContaining(start),
    });
    expect(told, 'the event about an invalid name (parseImageName, Level 1)').toEqual([
      expect.stringContaining(`Warning InspectFailed ${start}`),
    ]);
    expect(
      [...images.looks, ...images.pulls],
      'calls of the runtime: an invalid name must cause none',
    ).toEqual([]);
  });

  test('reports that the runtime did not answer', async () => {
    const statusError = new cri.CriError('Unavailable', 'connection refused');
    const { ensure, told } = ensurerOver(fakeImages({ statusError }));
    const message = 'Failed to inspect image "": rpc error: code = Unavailable desc = connection refused';
    await expect(ensure(), 'imageStatus failed with "connection refused"').rejects.toMatchObject({
      reason: 'ImageInspectError',
      message,
    });
    expect(told, 'the event about the failed imageStatus').toEqual([`Warning InspectFailed ${message}`]);
  });

  test('pulls with the credentials of pod and node', async () => {
    const images = fakeImages({ refuses: ['one'] });
    const { ensure } = ensurerOver(images, { node: [entry('quay.io', 'node')] });
    await ensure({ image: 'quay.io/app:1', pullSecrets: [secretOf('s', { 'quay.io': 'one' })] });
    expect(
      images.pulls,
      'the pulls: first with the credentials of the pod, then of the node (pullCredentials, Level 3; pullWithCredentials, Level 4)',
    ).toEqual(['quay.io/app:1 as one', 'quay.io/app:1 as node']);
  });

  test('reports why a pull failed, and repeats it during the back-off', async () => {
    const images = fakeImages({ error: new cri.CriError('Unknown', 'no such host') });
    const { ensure, told, sim } = ensurerOver(images);
    await expect(ensure(), 'pullImage failed with "no such host"').rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: 'no such host',
    });
    await expect(ensure(), 'the second request, right after the failed pull').rejects.toMatchObject({
      reason: 'ImagePullBackOff',
      message: 'Back-off pulling image "web:1": ErrImagePull: no such host',
    });
    expect(told, 'the events: the failed pull, then the back-off').toEqual([
      'Normal Pulling Pulling image "web:1"',
      'Warning Failed Failed to pull image "web:1": no such host',
      'Normal BackOff Back-off pulling image "web:1"',
    ]);
    await sim.run({ forMs: 10_000 });
    await expect(
      ensure(),
      'the third request, 10 s after the failed pull: its back-off has ended',
    ).rejects.toMatchObject({ reason: 'ErrImagePull' });
    expect(
      images.pulls,
      'pulls: the second comes only after the back-off (PullBackOff, Level 5)',
    ).toHaveLength(2);
  });

  test('applies the back-off to the second container of the pod', async () => {
    const images = fakeImages({ refuses: ['anonymous'] });
    const { ensure } = ensurerOver(images);
    await expect(ensure(), 'the registry refuses the pull of web:1').rejects.toMatchObject({
      reason: 'ErrImagePull',
    });
    await expect(
      ensure({ name: 'sidecar' }),
      'another container of the same pod and image: the back-off applies',
    ).rejects.toMatchObject({ reason: 'ImagePullBackOff' });
    expect(
      images.pulls,
      'pulls: the back-off belongs to pod and image, so the second container must wait, too (PullBackOff, Level 5)',
    ).toHaveLength(1);
  });

  test('refuses the pull if a secret cannot be read, without revealing its content', async () => {
    const images = fakeImages();
    const { ensure, told } = ensurerOver(images);
    const good = secretOf('good', { 'quay.io': 'one' });
    const broken = { ...good, data: { '.dockerconfigjson': btoa('one:open sesame') } };
    const pullSecrets = [broken, good];
    const refusal = await ensure({ pullSecrets }).catch((error: unknown) => error);
    expect(refusal, 'a secret that cannot be read fails the pull').toMatchObject({
      name: 'ImageError',
      reason: 'ErrImagePull',
    });
    expect(String(refusal), 'the error must not contain the content of the secret').not.toMatch(
      /one:|sesame/,
    );
    expect([...told, ...images.pulls], 'neither an event nor a pull').toEqual([]);
    expect(await ensure({ pullSecrets: [good] }), 'the pod with a good secret').toBe('id of web:1');
  });

  test('does not pull if the intent cannot be written, and starts no back-off', async () => {
    const images = fakeImages();
    let full = true;
    const intend = async (): Promise<void> => {
      if (full) throw new ImageError('ErrImagePull', 'the disk is full');
    };
    const { ensure, told } = ensurerOver(images, { records: { intend } });
    const refusal = { reason: 'ErrImagePull', message: 'the disk is full' };
    await expect(ensure(), 'records.intend has thrown "the disk is full"').rejects.toMatchObject(refusal);
    expect(
      [...told, ...images.pulls],
      'the intent to pull could not be recorded: no event, and no pull',
    ).toEqual([]);
    full = false;
    await expect(
      ensure(),
      'the full disk was not a failed pull, so it starts no back-off: now the pull must start at once',
    ).resolves.toBe('id of web:1');
  });

  test('applies no back-off to a new pod of the same name, another image or a present image', async () => {
    const images = fakeImages({ refuses: ['anonymous'], present: ['db:1'] });
    const { ensure } = ensurerOver(images);
    await expect(ensure(), 'the registry refuses the pull of web:1').rejects.toMatchObject({
      reason: 'ErrImagePull',
    });
    await expect(ensure({ uid: 'u2' }), 'a pod with another uid: no back-off applies').rejects.toMatchObject({
      reason: 'ErrImagePull',
    });
    await expect(ensure({ image: 'web:2' }), 'another image: no back-off applies').rejects.toMatchObject({
      reason: 'ErrImagePull',
    });
    expect(await ensure({ image: 'db:1' }), 'another image that is present: no back-off applies').toBe(
      'id of db:1',
    );
  });

  test("keeps the runtime's reason RegistryUnavailable", async () => {
    const error = new cri.CriError('Unknown', 'RegistryUnavailable: try later');
    const { ensure, told } = ensurerOver(fakeImages({ error }));
    const message = 'image pull failed for web:1 because the registry is unavailable: try later';
    await expect(ensure(), 'pullImage failed with "RegistryUnavailable: try later"').rejects.toMatchObject({
      reason: 'RegistryUnavailable',
      message,
    });
    await expect(ensure(), 'the second request, during the back-off').rejects.toMatchObject({
      message: `Back-off pulling image "web:1": RegistryUnavailable: ${message}`,
    });
    expect(told[1], 'the event has the error text of the runtime').toBe(
      'Warning Failed Failed to pull image "web:1": RegistryUnavailable: try later',
    );
  });

  test('fails a pull that exceeds the rate limit', async () => {
    const images = fakeImages();
    const { ensure, told } = ensurerOver(images, { qps: 0.001 });
    await ensure({ policy: 'Always' });
    await expect(
      ensure({ policy: 'Always' }),
      'the second pull, at one pull in 1000 s',
    ).rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: 'pull QPS exceeded',
    });
    expect(images.pulls, 'pulls: the second exceeds the rate limit').toHaveLength(1);
    expect(told.at(-1), 'the event about the pull that exceeded the rate limit').toBe(
      'Warning Failed Failed to pull image "web:1": pull QPS exceeded',
    );
  });

  test('pulls a present image that needs verification; with Never it refuses as if the image were missing', async () => {
    const images = fakeImages({ present: ['web:1'] });
    const { ensure } = ensurerOver(images, { records: { mustAttemptPull: async () => true } });
    await expect(ensure({ policy: 'Never' }), 'the pod may not use the present image').rejects.toMatchObject({
      reason: 'ErrImageNeverPull',
    });
    await ensure();
    expect(images.pulls, 'the image is present, but the pod must prove its access by a pull').toEqual([
      'web:1 as anonymous',
    ]);
  });

  test('records each pull before its start and after its end', async () => {
    const written: string[] = [];
    const records = {
      intend: async (image: string) => void written.push(`intend ${image}`),
      pulled: async (image: string, id: string, credential?: { username: string }) =>
        void written.push(`pulled ${image}, ${id}, ${credential?.username}`),
      failed: async (image: string) => void written.push(`failed ${image}`),
    };
    const pullSecrets = [secretOf('s', { 'quay.io': 'one' })];
    await ensurerOver(fakeImages(), { records }).ensure({ image: 'quay.io/app:1', pullSecrets });
    await ensurerOver(fakeImages({ error: new Error('no') }), { records })
      .ensure()
      .catch(() => {});
    expect(written, 'intend before each pull, then pulled or failed').toEqual([
      'intend quay.io/app:1',
      'pulled quay.io/app:1, id of quay.io/app:1, one',
      'intend web:1',
      'failed web:1',
    ]);
  });
});
