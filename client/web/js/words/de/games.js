/** What is said of one game or one family in the guides; loaded when a guide is opened. */

/** @type {Record<string, string>} */
export default {
  "guide.castle.tip.1": "Räum früh einen Stapel leer: eine Lücke ist mehr wert als drei Züge nach oben.",
  "guide.castle.tip.2": "Such zuerst die Zweien und Dreien und grab dort, wo am wenigsten auf ihnen liegt.",
  "guide.castle.tip.3": "Bau auf Könige und Damen, die schon unten liegen; was auf ihnen liegt, darf bleiben.",
  "guide.castle.tip.4": "Halt die Zielstapel gleich hoch: eine Farbe, die vorauseilt, nimmt den anderen Plätze weg.",
  "guide.suit.tip.1": "Jede Karte passt nur auf eine oder zwei: finde die Paare, bevor du ziehst.",
  "guide.suit.tip.2": "Wo in beide Richtungen gebaut wird, überleg, wie herum ein Stapel am Ende auslaufen soll.",
  "guide.suit.tip.3": "Verbrauch eine Lücke nur, wenn sie eine Karte freigibt, die gleich nach oben geht.",
  "guide.cells.tip.1": "Eine volle Zelle ist eine Schuld: wisse, wie sie leer wird, bevor du sie füllst.",
  "guide.cells.tip.2": "Leere Stapel zählen doppelt: sie lassen längere Folgen durch.",
  "guide.cells.tip.3": "Grab nach den kleinen Karten der Farbe, die am tiefsten liegt.",
  "guide.stock.tip.1": "Geh einmal durch den Talon, bevor du etwas hergibst, das nicht wiederkommt.",
  "guide.stock.tip.2": "Deck verdeckte Karten auf, bevor du Karten nach oben schickst.",
  "guide.beleaguered-castle.history": "Eine der ältesten offenen Patiencen in englischen Büchern, auch als Laying Siege und Sham Battle: alle Karten liegen von Anfang an offen, und nur das Geben ist Glück.",
  "guide.streets-and-alleys.history": "Beleaguered Castle, die Asse bleiben im Spiel: die Reihen sind die Straßen, die Lücken dazwischen die Gassen.",
  "guide.fortress.history": "Ein englisches Spiel des neunzehnten Jahrhunderts, in Farbe in beide Richtungen gebaut; als Chessboard oder Fives mit selbst gewählter Grundkarte.",
  "guide.freecell.history": "Bekannt geworden durch ein Computerprogramm, dessen 32.000 nummerierte Spiele noch heute nach Nummer gespielt werden. Dieselben Nummern gelten hier.",
  "guide.klondike-draw1.history": "Was die meisten mit „Solitär“ meinen. Das einzige der Familie mit vielen verdeckten Karten.",
  "guide.flower-garden.history": "Auch The Bouquet oder Le Parterre: sechs Beete im Garten und ein Strauß von sechzehn Blumen in der Hand.",
  "guide.cruel.history": "Zwölf Stapel zu vier Karten, die ohne Mischen aufgenommen und neu gelegt werden; bekannt aus frühen Spielesammlungen.",
  "guide.four-seasons.history": "Corner Card oder Vanishing Cross: ein Kreuz aus fünf Karten, die Zielstapel in seinen Ecken.",
};
