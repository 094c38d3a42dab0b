schedule f { tile 3; }
schedule f for cuda { step tile 128 x 8 }
schedule for cuda { }
schedule f for cuda { step: ; tile 3; }
