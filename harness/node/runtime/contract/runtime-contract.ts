import { describe } from 'vitest';
import { machineAlone } from '../../machine.fixture.ts';
import type { ProfileName } from '../profile.ts';
import { describeCommands } from './commands.ts';
import { describeContainers } from './containers.ts';
import { describeLists } from './lists.ts';
import type { Open } from './open.ts';
import { describeRestarts } from './restarts.ts';
import { describeSandboxes } from './sandboxes.ts';
import { describeStops } from './stops.ts';

/**
 * Tests the common behavior of all container runtimes, which a kubelet may rely on. `differences.test.ts` covers their
 * differences.
 *
 * Upstream: kubernetes/cri-api@v0.36.3 pkg/apis/runtime/v1/api.proto RuntimeService
 */
export function describeRuntimeContract(profile: ProfileName): void {
  const open: Open = (options) => machineAlone({ profile, ...options });
  describe(profile, () => {
    describe('sandboxes', () => describeSandboxes(open));
    describe('containers', () => describeContainers(open));
    describe('stops', () => describeStops(open));
    describe('lists', () => describeLists(open));
    describe('commands', () => describeCommands(open));
    describe('restarts', () => describeRestarts(open));
  });
}
