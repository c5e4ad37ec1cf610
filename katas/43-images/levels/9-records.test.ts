import { describe, expect, test } from 'vitest';
import { type Credential, PullRecordStore, type PullRecords } from '#given/43-images';
import type { ImageConfiguration } from '#harness';
import { Simulation } from '#harness/testing';
import {
  accepts,
  newPullRecords,
  PullManager,
  requiresVerification,
  withCredential,
} from '#kata/43-images/images';
import { imageOf, memoryFiles, secretOf } from './images.fixture.ts';

const IMAGE = 'quay.io/team/app:1';
const PRESENT = imageOf(IMAGE);

const credentialOf = (name: string, password = 'open sesame'): Credential => ({
  username: 'team',
  password,
  secret: secretOf(name, {}),
});
const secret = (uid: string, credentialHash: string) => ({
  uid,
  namespace: 'default',
  name: 'pull',
  credentialHash,
});

/** The records of a kubelet. With the same files, they are those of the next kubelet. */
function records(files = memoryFiles(), configuration: ImageConfiguration = {}) {
  const sim = new Simulation();
  const manager = new PullManager({ clock: sim.clock, store: new PullRecordStore(files), configuration });
  const must = (credentials: readonly Credential[] = [], image = IMAGE, present = PRESENT) =>
    manager.mustAttemptPull(image, present, () => credentials);
  return { sim, files, manager, must };
}

describe('Level 9 ★ · Present is not enough', () => {
  test.each([
    [undefined, true, true],
    [undefined, false, false],
    ['NeverVerifyPreloadedImages', true, true],
    ['NeverVerifyPreloadedImages', false, false],
    ['NeverVerify', true, false],
    ['AlwaysVerify', false, true],
  ] as const)('policy %s, pulled by a kubelet %s: verified %s', (policy, pulledByKubelet, verified) => {
    const configuration = policy ? { imagePullCredentialsVerificationPolicy: policy } : {};
    expect(
      requiresVerification(IMAGE, configuration, { pulledByKubelet }),
      `requiresVerification with the policy ${policy ?? '(default)'}, of an image that ${pulledByKubelet ? 'a' : 'no'} kubelet has pulled`,
    ).toBe(verified);
  });

  test.each([
    ['quay.io/team/app', false],
    ['quay.io/team/*', false],
    ['quay.io/*', false],
    ['quay.io/te', true],
    ['quay.io/other/*', true],
    ['quay.io/team/app/*', true],
  ])('with %s on the allowlist, verified: %s', (pattern, verified) => {
    const configuration = {
      imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages' as const,
      preloadedImagesVerificationAllowlist: [pattern],
    };
    for (const image of [IMAGE, 'quay.io/team/app', `quay.io/team/app@sha256:${'0'.repeat(64)}`]) {
      expect(
        requiresVerification(image, configuration, { pulledByKubelet: true }),
        `whether ${image} must be verified with ${pattern} on the allowlist: /* at the end of an entry matches every path below, and tags and digests do not count`,
      ).toBe(verified);
    }
  });

  test('accepts the same credentials or the same secret', () => {
    const known = { kubernetesSecrets: [secret('u1', 'h1'), secret('u2', 'h2')] };
    expect(
      accepts(known, [secret('u9', 'h9'), secret('u8', 'h2')]),
      'a credential with a known hash proves access, also from another secret',
    ).toEqual(secret('u8', 'h2'));
    expect(
      accepts(known, [secret('u1', 'h9')]),
      'a known secret (same uid) proves access, also with a changed password',
    ).toEqual(secret('u1', 'h9'));
    expect(accepts(known, [secret('u9', 'h9')]), 'neither the secret nor the hash is in the record').toBe(
      false,
    );
    expect(accepts(known, []), 'without credentials, the pod proves no access').toBe(false);
    expect(
      accepts({ nodePodsAccessible: true }, []),
      'the record makes the image accessible to all pods',
    ).toBe(true);
  });

  test('adds each secret once, and keeps access for all pods', () => {
    const one = withCredential(undefined, secret('u1', 'h1'));
    expect(one, 'the first secret').toEqual({ kubernetesSecrets: [secret('u1', 'h1')] });
    const two = withCredential(one, secret('u2', 'h2'));
    expect(two.kubernetesSecrets, 'secrets u1 and u2').toHaveLength(2);
    expect(
      withCredential(two, secret('u1', 'h3')).kubernetesSecrets,
      'u1 has another hash now: it replaces the old one',
    ).toEqual(expect.arrayContaining([secret('u1', 'h3'), secret('u2', 'h2')]));
    expect(withCredential(two, secret('u1', 'h3')).kubernetesSecrets, 'u1 once, and u2').toHaveLength(2);
    expect(withCredential(two, undefined), 'pulled without a secret: every pod may use it').toEqual({
      nodePodsAccessible: true,
    });
    expect(
      withCredential({ nodePodsAccessible: true }, secret('u1', 'h1')),
      'every pod may use it already',
    ).toEqual({
      nodePodsAccessible: true,
    });
  });

  test('allows every pod a preloaded image', async () => {
    expect(
      await records().must(),
      'an image without any record is preloaded, and no pod has to pull it again',
    ).toBe(false);
  });

  test('allows an image only to pods with credentials that have pulled it', async () => {
    const { manager, must } = records();
    await manager.intend(IMAGE);
    await manager.pulled(IMAGE, PRESENT.id, credentialOf('pull'));
    expect(await must([credentialOf('pull')]), 'the credential that pulled the image is in the record').toBe(
      false,
    );
    expect(await must([]), 'a pod without credentials must pull: the image is private').toBe(true);
    expect(await must([credentialOf('other', 'guessed')]), 'another account must pull').toBe(true);
    expect(
      await must([credentialOf('other')]),
      'another secret with the same account (same hash) is accepted',
    ).toBe(false);
    expect(
      await must([credentialOf('pull', 'changed')]),
      'the same secret with a new password is accepted',
    ).toBe(false);
  });

  test('allows every pod an image that was pulled anonymously', async () => {
    const { manager, must } = records();
    await manager.intend(IMAGE);
    await manager.pulled(IMAGE, PRESENT.id, undefined);
    expect(await must([]), 'an image that was pulled anonymously is public: no pod must pull it again').toBe(
      false,
    );
  });

  test('finds a record by image ID and repository', async () => {
    const { manager, must } = records();
    await manager.intend(IMAGE);
    await manager.pulled(IMAGE, PRESENT.id, undefined);
    const both = imageOf(IMAGE, { repoTags: [IMAGE, 'quay.io/team/app:2', 'quay.io/other/app:1'] });
    expect(
      await must([], 'quay.io/team/app:2', both),
      'another tag of the same repository is the same image',
    ).toBe(false);
    expect(
      await must([], 'quay.io/other/app:1', both),
      'another repository has no record of its own, and the image was not preloaded',
    ).toBe(true);
  });

  test('keeps its records after a restart', async () => {
    const { files, manager } = records();
    await manager.intend(IMAGE);
    await manager.pulled(IMAGE, PRESENT.id, credentialOf('pull'));
    const { must } = records(files);
    expect(await must([]), 'after a restart a pod without credentials must still pull').toBe(true);
    expect(
      await must([credentialOf('pull')]),
      'after a restart the record still accepts the credential',
    ).toBe(false);
  });

  test('verifies an image during a pull, and after a crash during a pull', async () => {
    const { files, manager, must } = records();
    await manager.intend(IMAGE);
    expect(
      await must([]),
      'while an intent exists, the outcome of the pull is unknown, so each pod must pull',
    ).toBe(true);
    const next = records(files);
    expect(await next.must([]), 'an intent of a kubelet that crashed still counts after the restart').toBe(
      true,
    );
    expect(
      await next.must(
        [],
        'quay.io/team/app:stable',
        imageOf(IMAGE, { repoTags: [IMAGE, 'quay.io/team/app:stable'] }),
      ),
    ).toBe(true);
    await next.manager.intend(IMAGE);
    await next.manager.failed(IMAGE, { givenUp: false });
    expect(
      await next.must([]),
      'the failed pull of this kubelet must leave the intent of the crashed one',
    ).toBe(true);
    await next.manager.intend(IMAGE);
    await next.manager.pulled(IMAGE, PRESENT.id, undefined);
    expect(await next.must([]), 'after a successful pull the intent is gone and the record counts').toBe(
      false,
    );
  });

  test('deletes its intent after a failure, but not during another pull or after an abort', async () => {
    const { manager, must } = records();
    await manager.intend(IMAGE);
    await manager.intend(IMAGE);
    await manager.failed(IMAGE, { givenUp: false });
    expect(
      await must([]),
      'one of two pulls failed, and the other is still running: the intent must stay',
    ).toBe(true);
    await manager.failed(IMAGE, { givenUp: false });
    expect(await must([]), 'the last pull failed: the intent must be removed').toBe(false);
    await manager.intend(IMAGE);
    await manager.failed(IMAGE, { givenUp: true });
    expect(
      await must([]),
      'a pull that was given up may still have succeeded in the runtime: the intent must stay',
    ).toBe(true);
  });

  test('fails a pull if the intent cannot be written', async () => {
    const { files, manager } = records();
    files.fails = 'writeFile';
    await expect(manager.intend(IMAGE), 'writeFile failed with "input/output error"').rejects.toMatchObject({
      reason: 'ErrImagePull',
      message: `Failed to record image pull intent for container image "${IMAGE}": writeFile: input/output error`,
    });
  });

  test('keeps the intent if the record cannot be written', async () => {
    const { files, manager, must } = records();
    await manager.intend(IMAGE);
    files.fails = 'writeFile';
    await manager.pulled(IMAGE, PRESENT.id, undefined);
    files.fails = undefined;
    expect(
      await must([]),
      'the record could not be written, so the intent must still be there and force a pull: pulled() must write the record before it deletes the intent',
    ).toBe(true);
  });

  test('a record that cannot be read proves nothing', async () => {
    const { files, must } = records();
    files.fails = 'readFile';
    expect(await must([]), 'a record that cannot be read proves nothing, so every pod must pull').toBe(true);
  });

  test('writes no password', async () => {
    const { files, manager } = records();
    await manager.intend(IMAGE);
    await manager.pulled(IMAGE, PRESENT.id, credentialOf('pull'));
    const texts = await Promise.all(files.paths().map((path) => files.readFile(path)));
    expect(texts.join(), 'the files of the records contain a hash of the credentials').toContain(
      'credentialHash',
    );
    expect(texts.join(), 'the files of the records must not contain the password').not.toContain(
      'open sesame',
    );
  });

  test('deletes only the records of removed images', async () => {
    const { manager, must } = records();
    await manager.intend(IMAGE);
    await manager.pulled(IMAGE, PRESENT.id, credentialOf('pull'));
    const later = new Simulation().clock.now() + 60_000;
    await manager.prune([PRESENT.id], later);
    expect(await must([]), 'the image still exists: its record must stay').toBe(true);
    await manager.prune([], later - 60_000);
    expect(await must([]), 'the record is newer than the collection: it must stay').toBe(true);
    await manager.prune([], later);
    expect(
      await must([]),
      'the image is gone: its record must be removed, and the image then counts as preloaded',
    ).toBe(false);
  });

  test('keeps the record of a pull in the second in which a collection began', async () => {
    const { sim, manager, must } = records();
    await sim.run({ forMs: 400 });
    const sinceMs = sim.clock.now();
    await sim.run({ forMs: 300 });
    await manager.intend(IMAGE);
    await manager.pulled(IMAGE, PRESENT.id, credentialOf('pull'));
    await manager.prune([], sinceMs);
    expect(
      await must([]),
      'the image was pulled after the collection began: its record must stay. Records have whole seconds, so compare in seconds',
    ).toBe(true);
  });

  test('newPullRecords returns a PullManager', async () => {
    const decide = async (known: PullRecords): Promise<boolean> => {
      await known.intend(IMAGE);
      return await known.mustAttemptPull(IMAGE, PRESENT, () => []);
    };
    const { clock } = new Simulation();
    const options = () => ({ clock, store: new PullRecordStore(memoryFiles()), configuration: {} });
    const right = await decide(new PullManager(options()));
    expect(
      await decide(newPullRecords(options())),
      'newPullRecords, below PullManager in images.ts, must return a PullManager',
    ).toBe(right);
  });
});
