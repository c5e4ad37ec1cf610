import { Simulation } from '../../sim/index.ts';
import { Disk } from '../files/index.ts';
import { publicRegistries } from '../registry/index.ts';
import { MachineImages, type MachineImagesOptions } from './machine-images.ts';

/** The images of a machine, with the public registries. `pull` runs the simulation until the pull ends. */
export function machine(options: Partial<MachineImagesOptions> = {}) {
  const sim = new Simulation();
  const registry = publicRegistries(sim.clock);
  const disk = options.disk ?? new Disk({ capacityBytes: 100_000_000_000 });
  const history: string[] = [];
  const images = new MachineImages({
    clock: sim.clock,
    registry,
    disk,
    onChange: (event, { repoTags, id }) => history.push(`${event} ${repoTags[0] ?? id}`),
    ...options,
  });
  const pull = (image: string, auth?: Parameters<MachineImages['pullImage']>[1]) =>
    sim.settle(images.pullImage({ image }, auth));
  return { sim, registry, disk, history, images, pull };
}

/** Returns the error of a pull. */
export async function refusal(pull: Promise<string>): Promise<string> {
  return pull.then(
    () => 'it was pulled',
    (error: Error) => error.message,
  );
}
