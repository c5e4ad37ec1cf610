import { describe, expect, test } from 'vitest';
import { Simulation } from '../../sim/index.ts';
import { Disk } from '../files/index.ts';
import { privateAccount, publicRegistries } from '../registry/index.ts';
import { MachineImages, type MachineImagesOptions } from './machine-images.ts';

const NGINX = 'docker.io/library/nginx';

function machine(options: Partial<MachineImagesOptions> = {}) {
  const sim = new Simulation();
  const registry = publicRegistries(sim.clock);
  const history: string[] = [];
  const images = new MachineImages({
    clock: sim.clock,
    registry,
    disk: new Disk({ capacityBytes: 100_000_000_000 }),
    onChange: (event, { repoTags, id }) => history.push(`${event} ${repoTags[0] ?? id}`),
    ...options,
  });
  const pull = (image: string, auth?: Parameters<MachineImages['pullImage']>[1]) =>
    sim.settle(images.pullImage({ image }, auth));
  return { sim, registry, history, images, pull };
}

/** What a pull is refused with. */
async function refusal(pull: Promise<string>): Promise<string> {
  return pull.then(
    () => 'it was pulled',
    (error: Error) => error.message,
  );
}

describe('MachineImages', () => {
  test('have an image after it was pulled', async () => {
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

  test('find it by each of its names, by digest and by id', async () => {
    const { images, pull } = machine();
    const id = await pull('nginx:1.27');
    const [digest = ''] = images.resolve(id)?.repoDigests ?? [];
    const names = ['nginx:1.27', 'docker.io/nginx:1.27', `index.docker.io/library/nginx:1.27`, digest, id];
    expect(names.map((name) => images.resolve(name)?.id)).toEqual(names.map(() => id));
    expect(images.resolve('nginx')).toBeUndefined();
    expect(images.resolve(`nginx@${digest.split('@')[1]}`)?.id).toBe(id);
  });

  test('know how an image is run', async () => {
    const { images, pull } = machine();
    await pull('nginx');
    expect(images.resolve('nginx')).toMatchObject({
      config: {
        entrypoint: ['/docker-entrypoint.sh'],
        cmd: ['nginx', '-g', 'daemon off;'],
        stopSignal: 'SIGQUIT',
      },
      executables: expect.arrayContaining(['nginx', 'sh']),
    });
  });

  test('pull a private image with credentials, and not without', async () => {
    const { pull } = machine();
    const image = 'registry.example.com/team/app:1';
    const denied = 'pull access denied, repository does not exist or may require authorization';
    expect(await refusal(pull(image))).toBe(
      `rpc error: code = Unknown desc = failed to pull and unpack image "${image}": failed to resolve image: ` +
        `${denied}: server message: insufficient_scope: authorization failed`,
    );
    expect(await refusal(pull(image, privateAccount))).toBe('it was pulled');
  });

  test('say that there is no such image', async () => {
    const { pull } = machine();
    expect(await refusal(pull('nginx:nope'))).toBe(
      `rpc error: code = NotFound desc = failed to pull and unpack image "${NGINX}:nope": ` +
        `failed to resolve image: ${NGINX}:nope: not found`,
    );
  });
});
