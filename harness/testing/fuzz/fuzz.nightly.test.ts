import { REQUESTS_PER_LIFE } from './run.ts';
import { testLives } from './test-lives.fixture.ts';

// `npm run fuzz` tries other seeds. It does not compare answers with and without owners.
testLives({ requests: REQUESTS_PER_LIFE, builtin: 20, owners: 20, custom: 5 });
