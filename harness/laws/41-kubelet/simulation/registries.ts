import { Registry } from '../../../node/registry/index.ts';
import type { Clock } from '../../../sim/index.ts';
import { PRIVATE_IMAGE } from '../scenario/index.ts';
import { imageSource } from './programs.ts';

/** The account that can read the private image. */
export const ACCOUNT = { username: 'team', password: 'open sesame' } as const;

const [, host = '', repository = '', tag = ''] = /^([^/]+)\/(.+):(.+)$/.exec(PRIVATE_IMAGE) ?? [];

/** Host of the private image. */
export const PRIVATE_HOST = host;

/** Creates the only registry that a machine can reach: it has the private image. */
export function registriesOf(clock: Clock): Registry {
  const registry = new Registry(clock);
  const added = registry.add(host, {
    users: { [ACCOUNT.username]: ACCOUNT.password },
    access: 'basic',
  });
  added.push(repository, imageSource(PRIVATE_IMAGE), tag);
  added.restrict(repository, [ACCOUNT.username]);
  return registry;
}
