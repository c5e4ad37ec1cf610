import { testScripts } from './run-scripts.fixture.ts';
import { scripts } from './scripts/index.ts';

testScripts(scripts);
