import { describe, expect, test } from 'vitest';
import { createMachineFiles } from '../files/index.ts';
import { CsiStorage, createCsiDriver } from './index.ts';

const staged = { volumeId: 'v', stagingTargetPath: '/staging' };
const published = {
  ...staged,
  targetPath: '/pod/mount',
  readonly: false,
  volumeContext: {},
};

/** Creates a machine with a driver and a volume `v`. */
async function machine({ stages = true } = {}) {
  const files = createMachineFiles();
  const storage = new CsiStorage();
  storage.create('v', { capacityBytes: 4 });
  await files.mkdirAll('/staging');
  return { files, storage, driver: createCsiDriver({ files, storage, stages }) };
}

const targets = async ({ files }: Awaited<ReturnType<typeof machine>>) =>
  (await files.mounts()).map(({ target }) => target);

describe('A storage driver', () => {
  test('stages, publishes, unpublishes and unstages a volume, each repeatedly', async () => {
    const made = await machine();
    const { driver, files } = made;
    for (const _ of [1, 2]) await driver.nodeStageVolume(staged);
    for (const _ of [1, 2]) await driver.nodePublishVolume(published);
    expect(await targets(made)).toEqual(['/staging', '/pod/mount']);
    await files.writeFile('/pod/mount/f', 'kept');
    for (const _ of [1, 2]) await driver.nodeUnpublishVolume(published);
    for (const _ of [1, 2]) await driver.nodeUnstageVolume(staged);
    expect([await targets(made), files.devices, await files.stat('/pod/mount')]).toEqual([[], [], undefined]);
    await driver.nodeStageVolume(staged);
    expect(await files.readFile('/staging/f')).toBe('kept');
  });

  test('rejects calls out of order, and unknown volumes', async () => {
    const { driver } = await machine();
    await expect(driver.nodePublishVolume(published)).rejects.toThrow(
      'rpc error: code = FailedPrecondition desc = volume v is not staged at "/staging"',
    );
    await driver.nodeStageVolume(staged);
    await driver.nodePublishVolume(published);
    await expect(driver.nodeUnstageVolume(staged)).rejects.toThrow('is still published at "/pod/mount"');
    await expect(driver.nodeStageVolume({ ...staged, volumeId: 'none' })).rejects.toThrow(
      'rpc error: code = NotFound desc = volume none does not exist',
    );
  });

  test('without staging publishes a volume to each pod separately', async () => {
    const made = await machine({ stages: false });
    const { driver, files } = made;
    expect(await driver.nodeGetCapabilities()).toEqual([]);
    await driver.nodePublishVolume({ ...published, readonly: true });
    await driver.nodePublishVolume({ ...published, targetPath: '/other/mount' });
    await files.writeFile('/other/mount/f', 'x');
    expect(await files.readFile('/pod/mount/f')).toBe('x');
    await expect(files.writeFile('/pod/mount/f', 'y')).rejects.toThrow('read-only file system');
    await expect(files.writeFile('/other/mount/f', 'more than it holds')).rejects.toThrow('no space left');
    await driver.nodeUnpublishVolume({ ...published, targetPath: '/other/mount' });
    expect(files.devices).toHaveLength(1);
    await driver.nodeUnpublishVolume(published);
    expect([await targets(made), files.devices]).toEqual([[], []]);
  });

  test('creates an inline volume for its pod, and deletes it', async () => {
    const { driver, files, storage } = await machine();
    const inline = { ...published, volumeId: 'csi-1', stagingTargetPath: '' };
    await driver.nodePublishVolume(inline);
    await files.writeFile('/pod/mount/f', 'x');
    await driver.nodeUnpublishVolume(inline);
    expect([storage.disk('csi-1'), files.devices]).toEqual([undefined, []]);
  });

  test('shows the same volume on each machine', async () => {
    const one = await machine();
    const files = createMachineFiles();
    await files.mkdirAll('/staging');
    const other = createCsiDriver({ files, storage: one.storage });
    await one.driver.nodeStageVolume(staged);
    await one.files.writeFile('/staging/f', 'x');
    await other.nodeStageVolume(staged);
    expect(await files.readFile('/staging/f')).toBe('x');
  });
});
