// What this phone knows of an event, and the cards of its lists. A deck is a Map of sections, a section a Map of cards
// (a number, or a name if the card has no number) to counts.

export const SWAPPED = ["main", "side", "z"]; // sections among which cards change places between games

export const state = {
  outbox: null, // the storage of this phone
  lists: null, // of the event, as the server last sent them
  ownChecks: new Map(), // the checks of this phone, by their ids
  entries: [], // that are not sent yet
  check: null, // the check that is shown
  isOnline: null, // null: not known yet
  isSignedOut: false,
};

export const now = () => new Date(Date.now() + (state.lists.skew ?? 0));
export const timestamp = () => `${now().toISOString().slice(0, 19)}Z`;
export const findPlayer = (id) => state.lists.players.find((one) => one.id === id);
export const normalise = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
export const sumCopies = (cards) => Array.from(cards?.values() ?? []).reduce((total, count) => total + count, 0);

export function setLists(lists) {
  state.lists = lists;
  cardNames = null;
}

// The deck of a list that the server sent: each card is its place in the table of cards.
export function unpackDeck(packed) {
  const deck = new Map();
  for (const [section, cards] of Object.entries(packed ?? {})) {
    const counts = new Map();
    for (const [place, count] of cards) {
      const [number, name] = state.lists.cards[place];
      counts.set(number || name, (counts.get(number || name) ?? 0) + count);
    }
    deck.set(section, counts);
  }
  return deck;
}

// The deck of the rows of a check.
export function deckOfRows(rows) {
  const deck = new Map();
  for (const { section, number, name, count } of rows) {
    if (!deck.has(section)) deck.set(section, new Map());
    deck.get(section).set(number || name, count);
  }
  return deck;
}

export const registeredDeck = (registration) => unpackDeck(findPlayer(registration)?.cards);

let cardNames = null; // by card

export function cardName(card) {
  cardNames ??= new Map(state.lists.cards.map(([number, name]) => [number || name, name]));
  return cardNames.get(card) ?? card;
}

export const cardLabel = (card) => (cardName(card) === card ? card : `${card} ${cardName(card)}`);
export const describeCards = (cards) => cards.map(([card, count]) => `${count} × ${cardLabel(card)}`).join(", ");

const wordsOf = (text) => normalise(text).match(/[\p{L}\p{N}]+/gu) ?? [];

// The only card of the lists whose name has all these words, undefined if none or several have them.
function onlyCardWith(words) {
  const found = state.lists.cards.filter(([, name]) => words.every((word) => wordsOf(name).includes(word)));
  return words.length && found.length === 1 ? found[0] : undefined;
}

// The card that a judge typed: a card of the lists, or the text, with a card number in capitals.
export function parseCard(typed) {
  const plain = normalise(typed.trim());
  const exact = state.lists.cards.find(([number, name]) => normalise(number) === plain || normalise(name) === plain);
  const found = exact ?? onlyCardWith(wordsOf(plain));
  if (found) return found[0] || found[1];
  return /^[a-z]+\d*-\w+$/.test(plain) ? plain.toUpperCase() : typed.trim();
}

function mergeSections(deck, sections) {
  const merged = new Map();
  for (const section of sections) {
    for (const [card, count] of deck.get(section) ?? []) merged.set(card, (merged.get(card) ?? 0) + count);
  }
  return merged;
}

function subtract(cards, others) {
  const rest = Array.from(cards, ([card, count]) => [card, count - (others.get(card) ?? 0)]);
  return rest.filter(([, count]) => count > 0);
}

// The differences of the counted and the registered deck, by section. Between games some are compared together.
export function differences(check) {
  const registered = registeredDeck(check.registration);
  const counted = [...check.counts.keys()];
  const together = check.swap ? counted.filter((one) => SWAPPED.includes(one)) : [];
  const alone = counted.filter((one) => !together.includes(one)).map((one) => [one]);
  return [...(together.length ? [together] : []), ...alone].map((sections) => {
    const [listed, found] = [mergeSections(registered, sections), mergeSections(check.counts, sections)];
    const missing = subtract(listed, found);
    return { sections, missing, extra: subtract(found, listed), all: sumCopies(listed), counted: sumCopies(found) };
  });
}
