import { testSameTraces } from './same-traces.fixture.ts';

testSameTraces(['3 replicas', 'faults of the nemesis']);
