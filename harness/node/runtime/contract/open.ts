import type { machineAlone } from '../../machine.fixture.ts';
import type { MachineOptions } from '../../machine-options.ts';

/** Creates a machine with the runtime under test. */
export type Open = (options?: Partial<MachineOptions>) => ReturnType<typeof machineAlone>;
