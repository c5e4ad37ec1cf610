import { testSameTraces } from './same-traces.fixture.ts';
import { traceScenarios } from './scenarios.ts';

testSameTraces(Object.keys(traceScenarios));
