import { describe } from 'vitest';
import { machineAlone } from '../../machine.fixture.ts';
import type { MachineOptions } from '../../machine-options.ts';
import type { ProfileName } from '../profile.ts';
import { describeCommands } from './commands.ts';
import { describeContainers } from './containers.ts';
import { describeLists } from './lists.ts';
import { describeRestarts } from './restarts.ts';
import { describeSandboxes } from './sandboxes.ts';
import { describeStops } from './stops.ts';

/** Creates a machine with the runtime under test. */
export type Open = (options?: Partial<MachineOptions>) => ReturnType<typeof machineAlone>;

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
