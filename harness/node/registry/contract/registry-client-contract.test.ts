import { setImmediate } from 'node:timers/promises';
import { setupServer } from 'msw/node';
import { fetchFrom } from '../../../mount/fetch.ts';
import { mswHandlers } from '../../../mount/msw.ts';
import { ManualClock } from '../../../testing/manual-clock.ts';
import { publicRegistries } from '../catalogue.ts';
import { HttpRegistryClient } from '../http-registry-client.ts';
import type { Registry } from '../registry.ts';
import type { RegistryClient } from '../registry-client.ts';
import { registryHandler } from '../registry-handler.ts';
import { describeRegistryClient, type Opened } from './registry-client-contract.ts';

describeRegistryClient('Registry in process', async () => opened((registry) => registry));

describeRegistryClient('HttpRegistryClient over a handler', async () =>
  opened((registry) => new HttpRegistryClient(fetchFrom(registryHandler(registry)))),
);

describeRegistryClient('HttpRegistryClient over msw', async () => {
  const mocked = setupServer();
  mocked.listen({ onUnhandledRequest: 'error' });
  const world = opened((registry) => {
    mocked.use(...mswHandlers('https://*', registryHandler(registry)));
    return new HttpRegistryClient();
  });
  return { ...world, [Symbol.asyncDispose]: async () => mocked.close() };
});

/** Creates fresh registries, and a client from `connect`. */
function opened(connect: (registry: Registry) => RegistryClient): Opened {
  const clock = new ManualClock();
  const registry = publicRegistries(clock);
  const client = connect(registry);
  return {
    client,
    registry,
    advance: (ms) => clock.advance(ms),
    async download(arriving) {
      let arrived = false;
      const note = (): void => {
        arrived = true;
      };
      arriving.then(note, note);
      while (!arrived) {
        await setImmediate();
        clock.advance(1_000);
      }
      return arriving;
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
