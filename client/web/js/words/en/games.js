/** What is said of one game or one family in the guides; loaded when a guide is opened. */

/** @type {Record<string, string>} */
export default {
  "guide.castle.tip.1": "Empty one pile as early as you can: a space is worth more than three moves to the foundations.",
  "guide.castle.tip.2": "Look for the twos and threes first, and dig where the fewest cards lie on them.",
  "guide.castle.tip.3": "Build down on the kings and queens that lie at the bottom already; everything on them can stay.",
  "guide.castle.tip.4": "Keep the foundations level: a suit that runs ahead takes away places for the others.",
  "guide.suit.tip.1": "Each card fits on one or two others only: find the pairs before you move.",
  "guide.suit.tip.2": "Where piles build both ways, plan which way a pile shall run out in the end.",
  "guide.suit.tip.3": "Spend a space only where it frees a card that goes up at once.",
  "guide.cells.tip.1": "A full cell is a debt: know how it becomes empty again before you fill it.",
  "guide.cells.tip.2": "Empty piles count double: they let longer runs pass.",
  "guide.cells.tip.3": "Dig for the low cards of the suit that lies deepest.",
  "guide.stock.tip.1": "Go through the stock once before you spend anything you can’t get back.",
  "guide.stock.tip.2": "Turn face-down cards up before you send cards home.",
  "guide.beleaguered-castle.history": "One of the oldest open solitaires in English books, also met as Laying Siege and Sham Battle: all cards lie open from the start, and nothing is left to luck but the deal.",
  "guide.streets-and-alleys.history": "Beleaguered Castle with the aces left in the pack: the rows are the streets, the gaps between them the alleys.",
  "guide.fortress.history": "An English game of the nineteenth century, built both ways in suit; as Chessboard or Fives it is played with a base of one’s own choice.",
  "guide.freecell.history": "Made famous by a computer program whose 32,000 numbered deals people still play by number. The same numbers work here.",
  "guide.klondike-draw1.history": "The game that most people mean by “solitaire”. It is the only one of the family with many hidden cards.",
  "guide.flower-garden.history": "Also The Bouquet or Le Parterre: six beds in the garden and a bouquet of sixteen flowers in the hand.",
  "guide.cruel.history": "Twelve piles of four that are gathered and dealt again without a shuffle; known from early computer collections.",
  "guide.four-seasons.history": "Corner Card or Vanishing Cross: a cross of five cards with the foundations in its corners.",
};
