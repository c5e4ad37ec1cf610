import { compareRows } from './compare.fixture.ts';
import { few } from './rows.fixture.ts';

// `compare.nightly.test.ts` compares all rows.
compareRows(few);
